package discord

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"
)

type object = map[string]any

// call is one request of the REST API, read.
type call struct {
	path  func(name string) string
	query url.Values
	body  json.RawMessage // nil: none
	files []file
}

// has says whether the body has a field, even if it is null.
func (c *call) has(field string) bool {
	var o map[string]json.RawMessage
	_ = json.Unmarshal(c.body, &o) // it was checked when it was read
	_, ok := o[field]
	return ok
}

// into reads the body. A field of the wrong type is 50035 (D: reference, error messages).
func (c *call) into(v any) *refusal {
	if c.body == nil {
		return nil
	}
	if err := json.Unmarshal(c.body, v); err != nil {
		field := "body"
		if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && e.Field != "" {
			field = e.Field
		}
		return invalid(field, "BASE_TYPE_BAD_TYPE", "%s", err.Error())
	}
	return nil
}

// route is one endpoint.
type route struct {
	pattern string // "POST /channels/{channel}/messages", and its name
	do      func(*Server, *call) (any, *refusal)
	open    bool // works without the bot's token
	limit   bucketLimit
}

// The sizes of buckets (K): the documentation tells to read the headers and never to count on numbers (D:
// topics/rate-limits).
var (
	everyday  = bucketLimit{50, time.Second}
	messaging = bucketLimit{5, 5 * time.Second}
	hooking   = bucketLimit{5, 2 * time.Second}
	reacting  = bucketLimit{1, 250 * time.Millisecond}
)

func (s *Server) routes() {
	for _, r := range allRoutes() {
		method, path, _ := strings.Cut(r.pattern, " ")
		s.mux.HandleFunc(method+" "+path, func(w http.ResponseWriter, q *http.Request) { s.serveRoute(r, w, q) })
	}
}

func allRoutes() []route {
	var all []route
	for _, part := range [][]route{basicRoutes(), channelRoutes(), messageRoutes(), webhookRoutes(), commandRoutes(), interactionRoutes()} {
		all = append(all, part...)
	}
	return all
}

func basicRoutes() []route {
	return []route{
		{pattern: "GET /gateway", do: getGateway, open: true},
		{pattern: "GET /gateway/bot", do: getGatewayBot},
		{pattern: "GET /users/@me", do: getMe},
		{pattern: "GET /users/{user}", do: getUser},
		{pattern: "GET /users/@me/guilds", do: getMyGuilds},
		{pattern: "POST /users/@me/channels", do: createDM},
		{pattern: "GET /applications/@me", do: getApplication},
		{pattern: "GET /oauth2/applications/@me", do: getApplication},
	}
}

// serve is the front door: the gateway's WebSocket, and the REST API of the versions that still work
// (D: reference, API versioning).
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	if !s.begin() {
		cut(w)
		return
	}
	defer s.serving.Done()
	if strings.HasPrefix(r.URL.Path, "/gw") {
		s.serveGateway(w, r)
		return
	}
	if rest, ok := strings.CutPrefix(r.URL.Path, "/attachments/"); ok {
		s.serveFile(w, rest)
		return
	}
	for _, v := range []string{"/api/v10", "/api/v9"} {
		if rest, ok := strings.CutPrefix(r.URL.Path, v); ok && strings.HasPrefix(rest, "/") {
			r.URL.Path = rest
			r.URL.RawPath = strings.TrimPrefix(r.URL.RawPath, v)
			if _, pattern := s.mux.Handler(r); pattern != "" {
				s.mux.ServeHTTP(w, r)
				return
			}
		}
	}
	entry := s.logCall(r.Method+" "+r.URL.Path, r.URL.Path, nil)
	s.finish(w, entry, 0, nil, notFound())
}

// serveFile is what stands for the CDN: it asks for no token.
func (s *Server) serveFile(w http.ResponseWriter, path string) {
	s.mu.Lock()
	var data []byte
	if parts := strings.Split(path, "/"); len(parts) == 3 {
		data = s.stored[parts[1]]
	}
	s.mu.Unlock()
	if data == nil {
		http.Error(w, "This content is no longer available.", http.StatusNotFound)
		return
	}
	_, _ = w.Write(data) // the client may be gone
}

// serveRoute answers one call, or lets it meet its fault.
func (s *Server) serveRoute(rt route, w http.ResponseWriter, r *http.Request) {
	c, bad := s.readCall(r)
	entry := s.logCall(rt.pattern, r.URL.Path, c.body)
	s.lock()
	fault := s.takeFault(rt.pattern, r.URL.Path)
	s.unlock()
	if s.suffer(w, r, entry, fault) {
		return
	}
	s.lock()
	var out any
	var ref *refusal
	limits, over := s.count(rt, r)
	switch {
	case over != nil:
		s.unlock()
		s.tooMany(w, entry, limits, *over)
		return
	case !rt.open && !s.authorized(r):
		ref = unauthorized()
	case bad != nil:
		ref = bad
	default:
		out, ref = rt.do(s, c)
	}
	s.unlock()
	if fault.Cut == CutAfter {
		cut(w)
		return
	}
	limits.write(w.Header())
	status := http.StatusOK
	if out == nil {
		status = http.StatusNoContent
	} else if st, ok := out.(created); ok {
		status, out = http.StatusCreated, st.body
	}
	s.finish(w, entry, status, out, ref)
}

// created is an answer with the status 201.
type created struct{ body any }

// authorized checks "Authorization: Bot <token>" (D: reference, authentication).
func (s *Server) authorized(r *http.Request) bool {
	return !s.revoked && r.Header.Get("Authorization") == "Bot "+s.token
}

func (s *Server) finish(w http.ResponseWriter, entry *Call, status int, out any, ref *refusal) {
	s.lock()
	if ref != nil {
		status, out, entry.Code, entry.Error = ref.status, ref.body(), ref.code, ref.String()
	}
	entry.Status = status
	body := encode(out)
	s.unlock()
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if status != http.StatusNoContent {
		_, _ = w.Write(body) // the client may be gone
	}
}

// cut ends the connection of a request without an answer.
func cut(w http.ResponseWriter) {
	if h, ok := w.(http.Hijacker); ok {
		if c, _, err := h.Hijack(); err == nil {
			_ = c.Close()
		}
	}
}

// encode cannot fail for what this package builds: maps, slices, strings, numbers, and JSON that was
// checked when it came in.
func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		return []byte(`{"code":0,"message":"500: Internal Server Error"}`)
	}
	return b
}
