// Command floor is the least that an agent in Slack, on Discord or on Telegram can do
// and still be durable: what is measured beside bullpen, so that a slow machine does not look like a
// slow program. It keeps a message and the inbox rows of three readers before it
// acknowledges, the answer before it is posted and the mark after it, each in a
// transaction of its own that waits for the disk. A channel has a goroutine with
// its history, a message costs one model call. It has no tools, no rules, no
// retries and no recovery.
package main

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/gorilla/websocket"
	_ "modernc.org/sqlite" // the driver
)

const (
	// memory is how many entries of a channel's history a model call carries at
	// most; half of them go when there are more.
	memory = 40
	// waiting is how many messages of a channel may wait.
	waiting = 1000
)

const schema = `
CREATE TABLE message (id INTEGER PRIMARY KEY, channel TEXT, ts TEXT UNIQUE, body TEXT);
CREATE TABLE inbox (id INTEGER PRIMARY KEY, reader INTEGER, message INTEGER);
CREATE TABLE outbox (id INTEGER PRIMARY KEY, channel TEXT, body TEXT, sent INTEGER DEFAULT 0);`

type floor struct {
	api, app, bot, model string
	discord, telegram    string // their APIs; both empty: Slack
	system               string
	db                   *sql.DB
	http                 *http.Client
	channels             map[string]chan said
}

type said struct {
	Type, Channel, User, Text, TS string
	BotID                         string `json:"bot_id"`
}

type entry struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

func main() {
	f := &floor{channels: map[string]chan said{}}
	path := flag.String("db", "", "a new database")
	prompt := flag.Int("prompt", 12_000, "bytes of system prompt in each model call")
	flag.StringVar(&f.api, "slack", "", "address of Slack's API, with a slash at its end")
	flag.StringVar(&f.discord, "discord", "", "address of Discord's API, instead of Slack's")
	flag.StringVar(&f.telegram, "telegram", "", "address of Telegram's API with the bot's token, instead of Slack's")
	flag.StringVar(&f.app, "app", "", "app token")
	flag.StringVar(&f.bot, "bot", "", "bot token")
	flag.StringVar(&f.model, "model", "", "address of chat completions")
	flag.Parse()
	f.system = strings.Repeat("You work here. ", *prompt/15)
	f.http = &http.Client{Timeout: callTime + pollTime*time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 256}}
	fmt.Fprintln(os.Stderr, "floor:", f.run(*path))
	os.Exit(1)
}

// run works until something goes wrong.
func (f *floor) run(path string) (err error) {
	f.db, err = sql.Open("sqlite", "file:"+url.PathEscape(path)+"?_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_txlock=immediate")
	if err != nil {
		return err
	}
	f.db.SetMaxOpenConns(1)
	if _, err := f.db.Exec(schema); err != nil {
		return fmt.Errorf("making %s: %w", path, err)
	}
	switch {
	case f.discord != "":
		return f.gateway()
	case f.telegram != "":
		return f.poll()
	}
	var link struct{ URL string }
	if err := f.call(f.api+"apps.connections.open", "Bearer "+f.app, struct{}{}, &link); err != nil {
		return err
	}
	conn, resp, err := websocket.DefaultDialer.Dial(link.URL, nil)
	if err != nil {
		return fmt.Errorf("opening the socket: %w", err)
	}
	_ = resp.Body.Close()
	return f.listen(conn)
}

// listen stores, acknowledges and hands on, one event after the other.
func (f *floor) listen(conn *websocket.Conn) (err error) {
	for {
		var env struct {
			ID      string               `json:"envelope_id"`
			Payload struct{ Event said } `json:"payload"`
		}
		if err := conn.ReadJSON(&env); err != nil {
			return fmt.Errorf("the socket ended: %w", err)
		}
		if env.ID == "" {
			continue
		}
		m := env.Payload.Event
		ours := m.Type == "message" && m.BotID == "" && m.Text != ""
		var fresh []said
		if ours {
			if fresh, err = f.keep(m); err != nil {
				return err
			}
		}
		if err := conn.WriteJSON(map[string]string{"envelope_id": env.ID}); err != nil {
			return fmt.Errorf("acknowledging: %w", err)
		}
		for _, m := range fresh {
			f.channel(m.Channel) <- m
		}
	}
}

// keep is the first transaction, and gives what was not kept before: an
// acknowledgement may have been late.
func (f *floor) keep(all ...said) (fresh []said, err error) {
	if len(all) == 0 {
		return nil, nil
	}
	tx, err := f.db.Begin()
	if err != nil {
		return nil, err
	}
	defer func() { _ = tx.Rollback() }() // of no effect after Commit
	for _, m := range all {
		is, err := keepOne(tx, m)
		if err != nil {
			return nil, err
		}
		if is {
			fresh = append(fresh, m)
		}
	}
	return fresh, tx.Commit()
}

func keepOne(tx *sql.Tx, m said) (fresh bool, err error) {
	res, err := tx.Exec("INSERT OR IGNORE INTO message (channel, ts, body) VALUES (?, ?, ?)", m.Channel, m.TS, m.Text)
	if err != nil {
		return false, err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return false, err
	}
	id, err := res.LastInsertId()
	if err != nil {
		return false, err
	}
	for reader := range 3 {
		if _, err := tx.Exec("INSERT INTO inbox (reader, message) VALUES (?, ?)", reader, id); err != nil {
			return false, err
		}
	}
	return true, nil
}

func (f *floor) channel(id string) chan said {
	c := f.channels[id]
	if c == nil {
		c = make(chan said, waiting)
		f.channels[id] = c
		go func() {
			var history []entry
			for m := range c {
				var err error
				if history, err = f.answer(history, m); err != nil {
					fmt.Fprintln(os.Stderr, "floor:", err)
					os.Exit(1)
				}
			}
		}()
	}
	return c
}

// answer asks the model and posts what it says; the second transaction is before
// the post, the third after it.
func (f *floor) answer(history []entry, m said) ([]entry, error) {
	history = append(history, entry{"user", m.Text})
	var out struct{ Choices []struct{ Message entry } }
	ask := map[string]any{"model": "model", "messages": append([]entry{{"system", f.system}}, history...)}
	if err := f.call(f.model, "", ask, &out); err != nil {
		return nil, err
	}
	if len(out.Choices) == 0 {
		return nil, fmt.Errorf("the model said nothing to %s", m.TS)
	}
	text := out.Choices[0].Message.Content
	if history = append(history, entry{"assistant", text}); len(history) > memory {
		history = history[len(history)-memory/2:]
	}
	res, err := f.db.Exec("INSERT INTO outbox (channel, body) VALUES (?, ?)", m.Channel, text)
	if err != nil {
		return nil, err
	}
	id, err := res.LastInsertId()
	if err != nil {
		return nil, err
	}
	if err := f.post(m, text); err != nil {
		return nil, err
	}
	_, err = f.db.Exec("UPDATE outbox SET sent = 1 WHERE id = ?", id)
	return history, err
}

// callTime is how long one call may take.
const callTime = 30 * time.Second

// call posts in with an authorization, which may be empty.
func (f *floor) call(to, authorization string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	return f.do(http.MethodPost, to, authorization, bytes.NewReader(body), out)
}

func (f *floor) fetch(from, authorization string, out any) error {
	return f.do(http.MethodGet, from, authorization, http.NoBody, out)
}

func (f *floor) do(method, to, authorization string, body io.Reader, out any) error {
	req, err := http.NewRequest(method, to, body)
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json; charset=utf-8")
	if authorization != "" {
		req.Header.Set("Authorization", authorization)
	}
	resp, err := f.http.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK || bytes.Contains(answer, []byte(`"ok":false`)) {
		return fmt.Errorf("%s: %s: %.200s", to, resp.Status, answer)
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal(answer, out)
}
