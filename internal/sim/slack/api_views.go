package slack

import (
	"encoding/json"
	"slices"
	"time"
)

// triggerLife is how long a trigger id opens a modal, once (D: handling user interaction).
const triggerLife = 3 * time.Second

// openTrigger is a trigger id that was handed out.
type openTrigger struct {
	user    string
	expires time.Time
	used    bool
}

// modal is what a person has open.
type modal struct {
	id, hash string
	view     map[string]any
	errors   map[string]string // block id to what the app said of it
}

func (s *Server) viewObject(m *modal) map[string]any {
	o := map[string]any{
		"id": m.id, "hash": m.hash, "team_id": s.ws.TeamID, "app_id": s.ws.AppID, "bot_id": s.ws.BotID,
		"app_installed_team_id": s.ws.TeamID, "root_view_id": m.id, "previous_view_id": nil,
		"private_metadata": "", "callback_id": "", "external_id": "",
		"state": map[string]any{"values": map[string]any{}},
	}
	for k, v := range m.view {
		o[k] = v
	}
	return o
}

// readView checks a view of the type wanted, modal or home (D: view objects).
func readView(raw, want string) (map[string]any, *refusal) {
	var view map[string]any
	if json.Unmarshal([]byte(raw), &view) != nil || str(view, "type") != want {
		return nil, refuse("invalid_arguments", "must be a view of type "+want+" [json-pointer:/view]")
	}
	var blocks []block
	for _, b := range list(view["blocks"]) {
		o, _ := b.(map[string]any)
		blocks = append(blocks, o)
	}
	ref := checkBlocks(blocks, maxViewBlocks)
	if ref == nil && want == "modal" {
		ck := &blockCheck{}
		ck.text("/title", view["title"], 24, "plain_text")
		if view["submit"] == nil && slices.ContainsFunc(blocks, func(b block) bool { return str(b, "type") == "input" }) {
			ck.fail("/submit", "must be given when there are input blocks")
		}
		if ck.errs != nil {
			ref = refuse("", ck.errs...)
		}
	}
	if ref != nil {
		return nil, refuse("invalid_arguments", ref.messages...)
	}
	normalise(blocks)
	return view, nil
}

func blocksOf(view map[string]any) []block {
	var out []block
	for _, b := range list(view["blocks"]) {
		if o, ok := b.(map[string]any); ok {
			out = append(out, o)
		}
	}
	return out
}

func viewsPublish(s *Server, a args) (reply, *refusal) {
	if s.users[a["user_id"]] == nil { // D: views.publish, invalid_arguments names the field
		return nil, refuse("invalid_arguments", "invalid user_id")
	}
	view, ref := readView(a["view"], "home")
	if ref != nil {
		return nil, ref
	}
	home := &modal{id: s.ids.next("V"), hash: s.ids.ts(), view: view}
	s.homes[a["user_id"]] = home
	return reply{"view": s.viewObject(home)}, nil
}

func viewsOpen(s *Server, a args) (reply, *refusal) {
	tr := s.triggers[a["trigger_id"]]
	switch { // D: views.open
	case tr == nil:
		return nil, refuse("invalid_trigger_id")
	case tr.used:
		return nil, refuse("exchanged_trigger_id")
	case time.Now().After(tr.expires):
		return nil, refuse("expired_trigger_id")
	}
	view, ref := readView(a["view"], "modal")
	if ref != nil {
		return nil, ref
	}
	tr.used = true
	m := &modal{id: s.ids.next("V"), hash: s.ids.ts(), view: view}
	s.modals[tr.user] = m
	return reply{"view": s.viewObject(m)}, nil
}

func viewsUpdate(s *Server, a args) (reply, *refusal) {
	for _, m := range s.modals {
		if m.id != a["view_id"] {
			continue
		}
		if h := a["hash"]; h != "" && h != m.hash { // D: views.update
			return nil, refuse("hash_conflict")
		}
		view, ref := readView(a["view"], "modal")
		if ref != nil {
			return nil, ref
		}
		m.view, m.hash, m.errors = view, s.ids.ts(), nil
		return reply{"view": s.viewObject(m)}, nil
	}
	return nil, refuse("not_found") // D: views.update
}
