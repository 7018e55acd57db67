package slack

import (
	"encoding/json"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// args are the arguments of a call, without its token. What a JSON body holds besides strings is
// kept as its JSON text, which is what form bodies carry too.
type args map[string]string

func (a args) flag(name string) bool { return a[name] == "true" || a[name] == "1" }

type reply map[string]any

// refusal is an answer with ok false.
type refusal struct {
	code     string
	messages []string // explanations, without their "[ERROR] "
	needed   string   // scope
}

func refuse(code string, messages ...string) *refusal {
	return &refusal{code: code, messages: messages}
}

// method is one of the Web API.
type method struct {
	do       func(*Server, args) (reply, *refusal) // under the lock
	scopes   []string                              // any one of them will do; none: any token
	required []string
	perMin   int  // documented tier, calls a minute
	app      bool // wants the app token
}

// methods are those that a text-first bot uses. Tiers are those of S:rate (D).
var methods = map[string]method{
	"api.test":              {do: apiTest},
	"auth.test":             {do: authTest, perMin: 600},
	"apps.connections.open": {do: connectionsOpen, app: true, perMin: 50},

	"chat.postMessage":   {do: postMessage, scopes: []string{"chat:write"}, required: []string{"channel"}},
	"chat.postEphemeral": {do: postEphemeral, scopes: []string{"chat:write"}, required: []string{"channel", "user"}, perMin: 100},
	"chat.update":        {do: updateMessage, scopes: []string{"chat:write"}, required: []string{"channel", "ts"}, perMin: 50},
	"chat.delete":        {do: deleteMessage, scopes: []string{"chat:write"}, required: []string{"channel", "ts"}, perMin: 50},

	"chat.startStream":  {do: startStream, scopes: []string{"chat:write"}, required: []string{"channel"}, perMin: 20},
	"chat.appendStream": {do: appendStream, scopes: []string{"chat:write"}, required: []string{"channel", "ts"}, perMin: 100},
	"chat.stopStream":   {do: stopStream, scopes: []string{"chat:write"}, required: []string{"channel", "ts"}, perMin: 20},

	"reactions.add":    {do: addReaction, scopes: []string{"reactions:write"}, required: []string{"channel", "name", "timestamp"}, perMin: 50},
	"reactions.remove": {do: removeReaction, scopes: []string{"reactions:write"}, required: []string{"name"}, perMin: 20},

	"conversations.open":    {do: conversationsOpen, perMin: 50},
	"conversations.info":    {do: conversationsInfo, required: []string{"channel"}, perMin: 50},
	"conversations.list":    {do: conversationsList, perMin: 20},
	"conversations.members": {do: conversationsMembers, required: []string{"channel"}, perMin: 100},
	"conversations.history": {do: conversationsHistory, required: []string{"channel"}, perMin: 50},
	"conversations.replies": {do: conversationsReplies, required: []string{"channel", "ts"}, perMin: 50},

	"users.info":          {do: usersInfo, scopes: []string{"users:read"}, perMin: 100},
	"users.list":          {do: usersList, scopes: []string{"users:read"}, perMin: 20},
	"users.conversations": {do: usersConversations, perMin: 50},

	"files.info":                   {do: filesInfo, scopes: []string{"files:read"}, required: []string{"file"}, perMin: 100},
	"files.getUploadURLExternal":   {do: getUploadURL, scopes: []string{"files:write"}, required: []string{"filename", "length"}, perMin: 100},
	"files.completeUploadExternal": {do: completeUpload, scopes: []string{"files:write"}, required: []string{"files"}, perMin: 100},

	"views.publish": {do: viewsPublish, required: []string{"user_id", "view"}, perMin: 100},
	"views.open":    {do: viewsOpen, required: []string{"trigger_id", "view"}, perMin: 100},
	"views.update":  {do: viewsUpdate, required: []string{"view_id", "view"}, perMin: 100},

	"agents.sessions.setStatus": { // K: its tier
		do: setSession, scopes: []string{"chat:write"}, required: []string{"status"}, perMin: 50,
	},
	"assistant.threads.setStatus": {
		do: setStatus, scopes: []string{"chat:write", "assistant:write"}, required: []string{"channel_id", "thread_ts"}, perMin: 600,
	},
}

func (s *Server) serveAPI(w http.ResponseWriter, r *http.Request) {
	if !s.begin() {
		cut(w)
		return
	}
	defer s.serving.Done()
	if s.listener.IsShut() {
		cut(w)
		return
	}
	name := strings.TrimPrefix(r.URL.Path, "/api/")
	token, a, bad := readCall(r)
	s.lock()
	entry := s.logCall(name, a)
	fault := s.faults.Take(name)
	s.unlock()
	if s.suffer(w, r, entry, fault) {
		return
	}
	s.lock()
	var status int
	var retryAfter string
	var body []byte
	if bad != nil {
		status, body = http.StatusOK, s.refused(bad)
		entry.Error = bad.code
	} else {
		status, retryAfter, body = s.answer(name, token, a, entry)
		if token == s.opts.BotToken {
			// K: every answer to a good token has it.
			w.Header().Set("X-OAuth-Scopes", strings.Join(slices.Sorted(maps.Keys(s.scopes)), ","))
		}
	}
	s.unlock()
	if fault.Cut == CutAfter {
		cut(w)
		return
	}
	s.finish(w, entry, status, retryAfter, body)
}

func (s *Server) finish(w http.ResponseWriter, entry *Call, status int, retryAfter string, body []byte) {
	s.lock()
	entry.Status = status
	s.unlock()
	if retryAfter != "" {
		w.Header().Set("Retry-After", retryAfter)
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client may be gone
}

// suffer lets the call meet its fault. It reports whether that was its end.
func (s *Server) suffer(w http.ResponseWriter, r *http.Request, entry *Call, f Fault) bool {
	if f.Hold != nil {
		select {
		case <-f.Hold:
		case <-r.Context().Done():
			return true
		case <-s.done:
			cut(w)
			return true
		}
	}
	switch {
	case f.Cut == CutBefore:
		cut(w)
	case f.Status == http.StatusTooManyRequests:
		s.note(entry, "ratelimited")
		s.finish(w, entry, f.Status, f.RetryAfter, encode(reply{"ok": false, "error": "ratelimited"}))
	case f.Status != 0:
		if f.RetryAfter != "" {
			w.Header().Set("Retry-After", f.RetryAfter)
		}
		s.lock()
		entry.Status = f.Status
		s.unlock()
		http.Error(w, "<html><body>"+http.StatusText(f.Status)+" "+r.URL.String()+"</body></html>", f.Status)
	case f.Error != "":
		s.note(entry, f.Error)
		s.finish(w, entry, http.StatusOK, "", encode(reply{"ok": false, "error": f.Error}))
	default:
		return false
	}
	return true
}

func (s *Server) note(entry *Call, code string) {
	s.lock()
	defer s.unlock()
	entry.Error = code
}

// answer is what the call gets when nothing misbehaves. Called under the lock.
func (s *Server) answer(name, token string, a args, entry *Call) (status int, retryAfter string, body []byte) {
	m, known := methods[name]
	ref := s.authorise(m, known, token)
	if ref == nil {
		ref = missingArguments(m, a)
	}
	if ref == nil {
		if wait := s.overRate(name, m, a); wait != "" {
			entry.Error = "ratelimited"
			return http.StatusTooManyRequests, wait, encode(reply{"ok": false, "error": "ratelimited"})
		}
		var out reply
		if out, ref = m.do(s, a); ref == nil {
			out["ok"] = true
			return http.StatusOK, "", encode(out)
		}
	}
	entry.Error = ref.code
	return http.StatusOK, "", s.refused(ref)
}

// authorise checks method, token and scope, in that order.
func (s *Server) authorise(m method, known bool, token string) *refusal {
	if !known { // D: Web API, errors
		return refuse("unknown_method")
	}
	if token == "" { // D: not_authed on every method page; L: socket_mode_managed_conn.go
		return refuse("not_authed")
	}
	state, exists := s.tokenError[token]
	switch {
	case !exists: // D: invalid_auth
		return refuse("invalid_auth")
	case state != "": // D: token_revoked, account_inactive, token_expired
		return refuse(state)
	case m.app != (token == s.opts.AppToken): // D: not_allowed_token_type
		return refuse("not_allowed_token_type")
	}
	return s.needAny(m.scopes...)
}

// needAny refuses unless the bot has one of these scopes (D: missing_scope, with needed and provided;
// L: SlackErrorResponse).
func (s *Server) needAny(scopes ...string) *refusal {
	if len(scopes) == 0 || slices.ContainsFunc(scopes, func(sc string) bool { return s.scopes[sc] }) {
		return nil
	}
	return &refusal{code: "missing_scope", needed: strings.Join(scopes, ",")}
}

// missingArguments is D: invalid_arguments.
func missingArguments(m method, a args) *refusal {
	var missing []string
	for _, name := range m.required {
		if a[name] == "" {
			missing = append(missing, "missing required field: "+name)
		}
	}
	if missing != nil {
		return refuse("invalid_arguments", missing...)
	}
	return nil
}

func (s *Server) refused(ref *refusal) []byte {
	out := reply{"ok": false, "error": ref.code}
	if len(ref.messages) > 0 {
		errs := make([]string, len(ref.messages))
		for i, m := range ref.messages {
			errs[i] = "[ERROR] " + m
		}
		out["errors"] = ref.messages
		out["response_metadata"] = map[string]any{"messages": errs}
	}
	if ref.needed != "" {
		out["needed"] = ref.needed
		out["provided"] = strings.Join(slices.Sorted(maps.Keys(s.scopes)), ",")
	}
	return encode(out)
}

// readCall takes token and arguments from header, query and body (D: Web API, request bodies). A
// token in a JSON body does not count.
func readCall(r *http.Request) (token string, a args, bad *refusal) {
	a = args{}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
	if err != nil {
		return "", a, refuse("request_timeout") // D: the body never came in full
	}
	form := r.URL.Query()
	media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case media == "application/json":
		bad = jsonArgs(body, a)
	case len(body) == 0, media == "text/plain": // the latter is valid, and carries no arguments
	case r.Header.Get("Content-Type") == "": // D: missing_post_type
		bad = refuse("missing_post_type")
	case media == "application/x-www-form-urlencoded":
		values, err := url.ParseQuery(string(body))
		if err != nil { // D: invalid_form_data
			bad = refuse("invalid_form_data")
		}
		for k, v := range values {
			form[k] = append(form[k], v...)
		}
	default: // D: invalid_post_type. Multipart forms, which Slack takes too, are only needed for files
		bad = refuse("invalid_post_type")
	}
	for k, v := range form {
		if len(v) > 0 {
			a[k] = v[0]
		}
	}
	token = a["token"]
	delete(a, "token")
	if bearer, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		token = bearer
	}
	return token, a, bad
}

func jsonArgs(body []byte, a args) *refusal {
	if len(body) == 0 {
		return nil
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(body, &fields) != nil {
		if json.Valid(body) { // D: json_not_object
			return refuse("json_not_object")
		}
		return refuse("invalid_json") // D
	}
	delete(fields, "token")
	for k, raw := range fields {
		var text string
		if json.Unmarshal(raw, &text) == nil && string(raw) != "null" {
			a[k] = text
		} else if string(raw) != "null" {
			a[k] = string(raw)
		}
	}
	return nil
}

func apiTest(*Server, args) (reply, *refusal) { return reply{}, nil }

func authTest(s *Server, _ args) (reply, *refusal) {
	return reply{
		"url": "https://" + s.ws.Domain + ".slack.com/", "team": s.ws.Name, "user": s.ws.BotName,
		"team_id": s.ws.TeamID, "user_id": s.ws.BotUserID, "bot_id": s.ws.BotID, "is_enterprise_install": false,
	}, nil
}

// connectionsOpen hands out a single-use address (D: apps.connections.open).
func connectionsOpen(s *Server, _ args) (reply, *refusal) {
	ticket := secret()
	s.tickets[ticket] = true
	return reply{"url": "ws://" + s.host + "/link/?ticket=" + ticket + "&app_id=" + s.ws.AppID}, nil
}
