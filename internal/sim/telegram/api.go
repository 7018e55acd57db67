package telegram

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// maxBody bounds what is read of a request, maxLogged the calls that are kept.
const (
	maxBody   = maxUpload + 1<<20
	maxLogged = 5000
)

// params are the parameters of a call. What a JSON body holds besides strings is kept as its JSON text,
// which is what form bodies carry too (D: making requests).
type params map[string]string

func (p params) number(name string) (int64, bool) {
	n, err := strconv.ParseInt(p[name], 10, 64)
	return n, err == nil
}

func (p params) flag(name string) bool { return p[name] == "true" || p[name] == "1" }

// refusal is an answer with ok false.
type refusal struct {
	code    int
	text    string
	after   int   // parameters.retry_after
	migrate int64 // parameters.migrate_to_chat_id
}

func bad(text string) *refusal { return &refusal{code: 400, text: "Bad Request: " + text} }

func forbidden(text string) *refusal { return &refusal{code: 403, text: "Forbidden: " + text} }

type object = map[string]any

// methods run under the lock; getUpdates is not among them.
var methods = map[string]func(*Server, params) (any, *refusal){
	"getme": getMe, "sendmessage": sendMessage, "sendmessagedraft": sendMessageDraft, "editmessagetext": editMessageText, "deletemessage": deleteMessage,
	"answercallbackquery": answerCallbackQuery, "setmycommands": setMyCommands, "getmycommands": getMyCommands,
	"setmessagereaction": setMessageReaction, "getfile": getFile,
	"senddocument": sendFile("document", maxUpload), "sendphoto": sendFile("photo", maxPhoto),
	"sendchataction": sendChatAction, "deletewebhook": deleteWebhook, "getchat": getChat, "getchatmember": getChatMember,
}

// Call is one request that a client made.
type Call struct {
	Time   time.Time
	Method string
	Params map[string]string
	Status int    // HTTP status of the answer; 0 while there is none, and if the connection was cut
	Error  string // the description, empty for ok
}

// Calls are the calls of these methods so far, all if none is named, in order of arrival. Tokens are not
// kept.
func (s *Server) Calls(names ...string) []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Call
	for _, c := range s.calls {
		if len(names) == 0 || slices.Contains(names, c.Method) {
			copied := *c
			copied.Params = maps.Clone(c.Params)
			out = append(out, copied)
		}
	}
	return out
}

var tokenForm = regexp.MustCompile(`^[0-9]+:[A-Za-z0-9_-]{20,}$`)

// serve answers /bot<token>/<method> (D: making requests).
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	if !s.begin() {
		return
	}
	defer s.serving.Done()
	if strings.HasPrefix(r.URL.Path, "/file/") {
		s.serveFile(w, r)
		return
	}
	token, method, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/bot"), "/")
	p, err := read(r)
	if err != nil {
		return
	}
	s.lock()
	c := &Call{Time: time.Now(), Method: method, Params: p}
	s.calls = append(s.calls, c)
	if len(s.calls) > 2*maxLogged {
		s.calls = slices.Clone(s.calls[maxLogged:])
	}
	f := s.faults.Take(method)
	s.unlock()
	if f.Hold != nil {
		select {
		case <-f.Hold:
		case <-s.done:
		case <-r.Context().Done():
		}
	}
	s.answer(w, r, c, f, token)
}

func (s *Server) begin() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.serving.Add(1)
	return true
}

// answer carries a call out, or has its fault happen.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, c *Call, f Fault, token string) {
	switch {
	case f.Cut == CutBefore:
		panic(http.ErrAbortHandler) // net/http's way to cut a connection
	case f.Status != 0:
		s.set(func() { c.Status = f.Status })
		if f.Location != "" {
			w.Header().Set("Location", f.Location)
		}
		w.WriteHeader(f.Status)
		_, _ = io.WriteString(w, strings.ReplaceAll(f.Body, "{url}", "https://api.telegram.org"+r.URL.Path))
		return
	}
	result, no := s.carryOut(r, c, f, token)
	if f.Cut == CutAfter {
		panic(http.ErrAbortHandler)
	}
	reply := object{"ok": true, "result": result}
	status := http.StatusOK
	if no != nil {
		status = no.code
		if no.after > 0 && strings.HasSuffix(no.text, "retry after") {
			no.text += " " + strconv.Itoa(no.after)
		}
		reply = object{"ok": false, "error_code": no.code, "description": no.text}
		if more := no.parameters(); len(more) > 0 {
			reply["parameters"] = more
		}
	}
	s.set(func() {
		if c.Status = status; no != nil {
			c.Error = no.text
		}
	})
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(reply)
}

func (n *refusal) parameters() object {
	out := object{}
	if n.after > 0 {
		out["retry_after"] = n.after
	}
	if n.migrate != 0 {
		out["migrate_to_chat_id"] = n.migrate
	}
	return out
}

func (s *Server) carryOut(r *http.Request, c *Call, f Fault, token string) (any, *refusal) {
	s.mu.Lock()
	revoked := s.revoked
	s.mu.Unlock()
	do, known := methods[strings.ToLower(c.Method)] // names are case-insensitive (D: making requests)
	polls := strings.EqualFold(c.Method, "getUpdates")
	switch {
	case !tokenForm.MatchString(token): // K
		return nil, &refusal{code: 404, text: "Not Found"}
	case token != s.opts.Token || revoked: // K
		return nil, &refusal{code: 401, text: "Unauthorized"}
	case f.Code != 0:
		text := f.Description
		if text == "" {
			text = http.StatusText(f.Code)
		}
		return nil, &refusal{code: f.Code, text: text, after: f.RetryAfter}
	case polls:
		return s.getUpdates(r, c.Params)
	case !known:
		return nil, &refusal{code: 404, text: "Not Found: method not found"} // K
	}
	s.lock()
	defer s.unlock()
	defer maps.DeleteFunc(c.Params, func(k, _ string) bool { return strings.HasSuffix(k, ".data") })
	return do(s, c.Params)
}

// read takes the parameters from wherever they may stand (D: making requests).
func read(r *http.Request) (params, error) {
	p := params{}
	r.Body = io.NopCloser(io.LimitReader(r.Body, maxBody))
	if strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
		var raw map[string]json.RawMessage
		if err := json.NewDecoder(r.Body).Decode(&raw); err != nil {
			return nil, fmt.Errorf("read a JSON body: %w", err)
		}
		for k, v := range raw {
			var text string
			if json.Unmarshal(v, &text) != nil {
				text = string(v)
			}
			p[k] = text
		}
		return p, nil
	}
	if err := r.ParseMultipartForm(maxBody); err != nil && err != http.ErrNotMultipart { //nolint:errorlint // net/http returns it bare
		return nil, fmt.Errorf("read a form: %w", err)
	}
	for k := range r.Form {
		p[k] = r.Form.Get(k)
	}
	if r.MultipartForm == nil {
		return p, nil
	}
	for k, files := range r.MultipartForm.File {
		f, err := files[0].Open()
		if err != nil {
			return nil, fmt.Errorf("read an upload: %w", err)
		}
		data, err := io.ReadAll(f)
		if err != nil {
			return nil, fmt.Errorf("read an upload: %w", err)
		}
		p[k+".name"], p[k+".data"] = files[0].Filename, string(data)
	}
	return p, nil
}
