package slack

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Click presses a button on a message that the person sees, also an ephemeral one. It returns the
// trigger id, under which Deliveries lists the click.
func (p *Person) Click(channel, ts, actionID string) (trigger string, err error) {
	s := p.s
	s.lock()
	defer s.unlock()
	u, c, err := p.as(channel)
	if err != nil {
		return "", err
	}
	m := s.seen(c, u, ts)
	if m == nil {
		return "", fmt.Errorf("slack sim: %s sees no message %s in %s", u.Name, ts, s.label(c))
	}
	button := findButton(m.blocks, actionID)
	if button == nil {
		return "", fmt.Errorf("slack sim: message %s in %s has no button %q", ts, s.label(c), actionID)
	}
	trigger = s.trigger(u.ID)
	payload := s.clickPayload(u, c, m, button)
	payload["trigger_id"] = trigger
	payload["response_url"] = s.newResponseURL(c, m, u.ID)
	s.deliver(&delivery{
		Delivery: Delivery{EventID: trigger, Type: typeInteractive}, payload: encode(payload),
		onFail: func(reason string) { s.tell(c, u.ID, "The button failed: "+reason) },
	})
	return trigger, nil
}

// seen is a message of the conversation, or an ephemeral one for u.
func (s *Server) seen(c *conversation, u *User, ts string) *message {
	if m := c.byTS[ts]; m != nil {
		if m.deleted {
			return nil
		}
		return m
	}
	for _, m := range c.ephemerals {
		if m.ts == ts && m.ephemeralTo == u.ID && !m.deleted {
			return m
		}
	}
	return nil
}

// findButton returns the button with its block's id under "block_id".
func findButton(blocks []block, actionID string) map[string]any {
	for _, b := range blocks {
		els := list(b["elements"])
		if acc := b["accessory"]; acc != nil {
			els = append(slices.Clone(els), acc)
		}
		for _, el := range els {
			if e, _ := el.(map[string]any); str(e, "type") == "button" && str(e, "action_id") == actionID {
				found := map[string]any{"block_id": b["block_id"]}
				for _, key := range []string{"type", "action_id", "text", "value", "style", "url"} {
					if e[key] != nil {
						found[key] = e[key]
					}
				}
				return found
			}
		}
	}
	return nil
}

func (s *Server) clickPayload(u *User, c *conversation, m *message, button map[string]any) map[string]any {
	button["action_ts"] = s.ids.ts()
	container := map[string]any{
		"type": "message", "message_ts": m.ts, "channel_id": c.id, "is_ephemeral": m.ephemeralTo != "",
	}
	if m.threadTS != "" {
		container["thread_ts"] = m.threadTS
	}
	payload := map[string]any{
		"type": "block_actions", "token": "sim", "api_app_id": s.ws.AppID,
		"user":      userRef(u),
		"team":      map[string]any{"id": s.ws.TeamID, "domain": s.ws.Domain},
		"container": container, "channel": map[string]any{"id": c.id, "name": commandChannelName(c)},
		"enterprise": nil, "is_enterprise_install": false,
		"state": map[string]any{"values": map[string]any{}}, "actions": []any{button},
	}
	if m.ephemeralTo == "" { // D: the message itself is left out for ephemerals
		payload["message"] = s.wire(m, true)
	}
	return payload
}

// trigger is a new trigger id, with which the app may open a modal for user.
func (s *Server) trigger(user string) string {
	s.ids.n++
	id := fmt.Sprintf("%d.%s.%s", s.ids.n, s.ws.TeamID, strings.ToLower(secret()))
	if len(s.triggers) > maxLogged {
		maps.DeleteFunc(s.triggers, func(_ string, t *openTrigger) bool { return time.Now().After(t.expires) })
	}
	s.triggers[id] = &openTrigger{user: user, expires: time.Now().Add(triggerLife)}
	return id
}

var commandMention = regexp.MustCompile(`@([a-z0-9][a-z0-9._-]*)|#([a-z0-9][a-z0-9_-]*)`)

// Slash types a command, such as "/office", with the text behind it. With should_escape, which the
// manifest sets, known handles and channel names become ids (D: implementing slash commands). It
// returns the trigger id, under which Deliveries lists the command.
func (p *Person) Slash(channel, command, text string) (trigger string, err error) {
	s := p.s
	s.lock()
	defer s.unlock()
	u, c, err := p.as(channel)
	if err != nil {
		return "", err
	}
	if !slices.Contains(s.opts.Commands, command) || runes(command) > maxCommandName {
		return "", fmt.Errorf("slack sim: %s is not a valid command", command)
	}
	if !s.scopes["commands"] {
		return "", fmt.Errorf("slack sim: %s: the app has lost the scope commands", command)
	}
	trigger = s.trigger(u.ID)
	payload := map[string]any{
		"token": "sim", "team_id": s.ws.TeamID, "team_domain": s.ws.Domain, "channel_id": c.id,
		"channel_name": commandChannelName(c), "user_id": u.ID, "user_name": u.Name, "command": command,
		"text": s.commandText(text), "api_app_id": s.ws.AppID, "is_enterprise_install": "false",
		"response_url": s.newResponseURL(c, nil, u.ID), "trigger_id": trigger,
	}
	s.deliver(&delivery{
		Delivery: Delivery{EventID: trigger, Type: typeSlash}, payload: encode(payload), accepts: true,
		onAck:  func(answer json.RawMessage) { s.respond(c, nil, u.ID, answer) },
		onFail: func(reason string) { s.tell(c, u.ID, command+" failed with the error \""+reason+"\"") },
	})
	return trigger, nil
}

func (s *Server) commandText(text string) string {
	return commandMention.ReplaceAllStringFunc(escape(text), func(t string) string {
		if t[0] == '@' {
			if u := s.userByName(t[1:]); u != nil {
				return "<@" + u.ID + "|" + u.Name + ">"
			}
		} else if c := s.conversationByName(t[1:]); c != nil {
			return "<#" + c.id + "|" + c.name + ">"
		}
		return t
	})
}

func commandChannelName(c *conversation) string {
	switch c.kind {
	case kindIM:
		return "directmessage"
	case kindGroup:
		return "privategroup"
	}
	return c.name
}

// tell shows a person a line of Slack's own.
func (s *Server) tell(c *conversation, user, text string) {
	s.whisper(c, &message{user: "USLACKBOT", username: "Slackbot", text: escape(text)}, user)
}

// responseURL is where an app may answer a command or click later.
type responseURL struct {
	c       *conversation
	origin  *message // the message clicked on; nil after a command
	user    string
	uses    int
	expires time.Time
}

func (s *Server) newResponseURL(c *conversation, origin *message, user string) string {
	if len(s.responseURLs) > maxLogged {
		maps.DeleteFunc(s.responseURLs, func(_ string, u *responseURL) bool { return time.Now().After(u.expires) })
	}
	key := secret()
	s.responseURLs[key] = &responseURL{c: c, origin: origin, user: user, expires: time.Now().Add(responseURLLife)}
	return "http://" + s.host + "/response/" + key
}

func (s *Server) serveResponseURL(w http.ResponseWriter, r *http.Request) {
	if !s.begin() {
		cut(w)
		return
	}
	defer s.serving.Done()
	if s.listener.IsShut() {
		cut(w)
		return
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
	if err != nil {
		return // the client left in the middle
	}
	a := args{}
	_ = jsonArgs(body, a) // for the log; respond judges the body
	s.lock()
	entry := s.logCall("response_url", a)
	fault := s.faults.Take("response_url")
	s.unlock()
	if s.suffer(w, r, entry, fault) {
		return
	}
	status, answer := s.useResponseURL(strings.TrimPrefix(r.URL.Path, "/response/"), body, entry)
	if fault.Cut == CutAfter {
		cut(w)
		return
	}
	s.finish(w, entry, status, "", answer)
}

// useResponseURL is D: handling user interaction, at most five times within 30 minutes. The wording
// of its refusals is K.
func (s *Server) useResponseURL(key string, body []byte, entry *Call) (status int, answer []byte) {
	s.lock()
	defer s.unlock()
	u := s.responseURLs[key]
	refused := func(status int, code string) (int, []byte) {
		entry.Error = code
		return status, encode(reply{"ok": false, "error": code})
	}
	switch {
	case u == nil:
		return refused(http.StatusNotFound, "invalid_url")
	case time.Now().After(u.expires):
		return refused(http.StatusNotFound, "expired_url")
	case u.uses >= maxResponseURLUses:
		return refused(http.StatusNotFound, "used_url")
	}
	if ref := s.respond(u.c, u.origin, u.user, body); ref != nil {
		return refused(http.StatusBadRequest, ref.code)
	}
	u.uses++
	return http.StatusOK, encode(reply{"ok": true})
}
