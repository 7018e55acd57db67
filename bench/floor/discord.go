package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// intents are those that messages of a server with their text need.
const intents = 1<<0 | 1<<9 | 1<<15

// discordSaid is what the gateway tells of a message.
type discordSaid struct {
	ID      string
	Channel string `json:"channel_id"`
	Content string
	Author  struct {
		ID  string
		Bot bool
	}
}

// gateway opens Discord's gateway and stores and hands on what comes.
func (f *floor) gateway() error {
	var link struct{ URL string }
	if err := f.fetch(f.discord+"/v10/gateway/bot", "Bot "+f.bot, &link); err != nil {
		return err
	}
	conn, resp, err := websocket.DefaultDialer.Dial(link.URL+"/?v=10&encoding=json", nil)
	if err != nil {
		return fmt.Errorf("opening the gateway: %w", err)
	}
	_ = resp.Body.Close()
	var writing sync.Mutex
	send := func(v any) error {
		writing.Lock()
		defer writing.Unlock()
		return conn.WriteJSON(v)
	}
	identify := map[string]any{
		"token": "Bot " + f.bot, "intents": intents,
		"properties": map[string]string{"os": "linux", "browser": "floor", "device": "floor"},
	}
	if err := send(map[string]any{"op": 2, "d": identify}); err != nil {
		return err
	}
	for {
		var e struct {
			Op int
			T  string
			D  json.RawMessage
		}
		if err := conn.ReadJSON(&e); err != nil {
			return fmt.Errorf("the gateway ended: %w", err)
		}
		switch {
		case e.Op == 10:
			var hello struct {
				Interval int64 `json:"heartbeat_interval"`
			}
			if err := json.Unmarshal(e.D, &hello); err != nil {
				return err
			}
			go beat(time.Duration(hello.Interval)*time.Millisecond, send)
		case e.T == "MESSAGE_CREATE":
			if err := f.take(e.D); err != nil {
				return err
			}
		}
	}
}

// beat keeps the connection until a heartbeat cannot be sent.
func beat(every time.Duration, send func(any) error) {
	time.Sleep(rand.N(every)) //nolint:gosec // when the first one leaves is no secret
	for send(map[string]any{"op": 1, "d": nil}) == nil {
		time.Sleep(every)
	}
}

func (f *floor) take(raw json.RawMessage) error {
	var d discordSaid
	if err := json.Unmarshal(raw, &d); err != nil || d.Author.Bot || d.Content == "" {
		return err
	}
	m := said{Type: "message", Channel: d.Channel, User: d.Author.ID, Text: d.Content, TS: d.ID}
	fresh, err := f.keep(m)
	for _, m := range fresh {
		f.channel(m.Channel) <- m
	}
	return err
}
