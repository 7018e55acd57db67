package slack

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
)

// Modal is a form that a person has open.
type Modal struct {
	Title  string
	Text   string            // what its blocks say
	Fields []Field           // its input blocks, in order
	Errors map[string]string // block id to what the app found wrong with the last submission
}

// Field is one input of a modal.
type Field struct {
	BlockID, ActionID, Label, Type string // Type is Block Kit's, as in plain_text_input
	Optional                       bool
}

// Modal is the one that the person sees, if any.
func (p *Person) Modal() (Modal, bool) {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	u, err := p.user()
	if err != nil || p.s.modals[u.ID] == nil {
		return Modal{}, false
	}
	m := p.s.modals[u.ID]
	out := Modal{
		Title: p.s.textObject(m.view["title"]), Text: p.s.blocksText(blocksOf(m.view)), Errors: maps.Clone(m.errors),
	}
	for _, b := range blocksOf(m.view) {
		if el, _ := b["element"].(map[string]any); str(b, "type") == "input" {
			optional, _ := b["optional"].(bool)
			out.Fields = append(out.Fields, Field{
				BlockID: str(b, "block_id"), ActionID: str(el, "action_id"), Label: p.s.textObject(b["label"]),
				Type: str(el, "type"), Optional: optional,
			})
		}
	}
	return out, true
}

// Submit fills the fields of the open modal in, by block id, and submits it. The modal closes when
// the app acknowledges, unless its answer says otherwise. It returns the trigger id.
func (p *Person) Submit(values map[string]string) (trigger string, err error) {
	s := p.s
	s.lock()
	defer s.unlock()
	u, err := p.user()
	if err != nil {
		return "", err
	}
	m := s.modals[u.ID]
	if m == nil {
		return "", fmt.Errorf("slack sim: %s has no modal open", u.Name)
	}
	state, err := stateOf(m.view, values)
	if err != nil {
		return "", fmt.Errorf("slack sim: %s submits: %w", u.Name, err)
	}
	view := s.viewObject(m)
	view["state"] = map[string]any{"values": state}
	trigger = s.trigger(u.ID)
	payload := map[string]any{
		"type": "view_submission", "token": "sim", "api_app_id": s.ws.AppID, "trigger_id": trigger,
		"team": map[string]any{"id": s.ws.TeamID, "domain": s.ws.Domain}, "user": userRef(u),
		"view": view, "response_urls": []any{}, "enterprise": nil, "is_enterprise_install": false,
	}
	s.deliver(&delivery{
		Delivery: Delivery{EventID: trigger, Type: typeInteractive}, payload: encode(payload), accepts: true,
		onAck: func(answer json.RawMessage) { s.submitted(u.ID, m, answer) },
	})
	return trigger, nil
}

// stateOf is the submitted state; what is not optional must be filled in, as the client demands.
func stateOf(view map[string]any, values map[string]string) (map[string]any, error) {
	state := map[string]any{}
	for _, b := range blocksOf(view) {
		if str(b, "type") != "input" {
			continue
		}
		el, _ := b["element"].(map[string]any)
		id, value := str(b, "block_id"), values[str(b, "block_id")]
		if optional, _ := b["optional"].(bool); value == "" && !optional {
			return nil, errors.New("field " + id + " must be filled in")
		}
		state[id] = map[string]any{str(el, "action_id"): fieldState(str(el, "type"), value)}
	}
	return state, nil
}

func fieldState(elementType, value string) map[string]any {
	f := map[string]any{"type": elementType}
	switch elementType {
	case "static_select", "external_select", "radio_buttons":
		if value != "" {
			f["selected_option"] = map[string]any{"value": value, "text": map[string]any{"type": "plain_text", "text": value}}
		}
	case "users_select":
		f["selected_user"] = value
	case "channels_select":
		f["selected_channel"] = value
	case "conversations_select":
		f["selected_conversation"] = value
	default:
		f["value"] = value
	}
	return f
}

// submitted does what the app's answer says: errors and update keep the modal, everything else ends
// it (D: view submissions; L: views.go).
func (s *Server) submitted(user string, m *modal, answer json.RawMessage) {
	var a struct {
		Action string            `json:"response_action"`
		Errors map[string]string `json:"errors"`
		View   json.RawMessage   `json:"view"`
	}
	if len(answer) > 0 && json.Unmarshal(answer, &a) != nil {
		return
	}
	switch a.Action {
	case "errors":
		m.errors = a.Errors
		return
	case "update", "push":
		if view, ref := readView(string(a.View), "modal"); ref == nil {
			m.view, m.hash, m.errors = view, s.ids.ts(), nil
			return
		}
	}
	if s.modals[user] == m {
		delete(s.modals, user)
	}
}

// ClickHome presses a button on the bot's page and returns the trigger id.
func (p *Person) ClickHome(actionID string) (trigger string, err error) {
	s := p.s
	s.lock()
	defer s.unlock()
	u, err := p.user()
	if err != nil {
		return "", err
	}
	home := s.homes[u.ID]
	var button map[string]any
	if home != nil {
		button = findButton(blocksOf(home.view), actionID)
	}
	if button == nil {
		return "", fmt.Errorf("slack sim: the bot's page of %s has no button %q", u.Name, actionID)
	}
	button["action_ts"] = s.ids.ts()
	trigger = s.trigger(u.ID)
	s.deliver(&delivery{
		Delivery: Delivery{EventID: trigger, Type: typeInteractive},
		payload: encode(map[string]any{
			"type": "block_actions", "token": "sim", "api_app_id": s.ws.AppID, "trigger_id": trigger, "user": userRef(u),
			"team":      map[string]any{"id": s.ws.TeamID, "domain": s.ws.Domain},
			"container": map[string]any{"type": "view", "view_id": home.id}, "view": s.viewObject(home),
			"enterprise": nil, "is_enterprise_install": false, "actions": []any{button},
		}),
	})
	return trigger, nil
}

func userRef(u *User) map[string]any {
	return map[string]any{"id": u.ID, "username": u.Name, "name": u.Name, "team_id": u.TeamID}
}
