package discord

import (
	"encoding/json"
	"fmt"
	"time"
)

// Kinds of interactions and of answers to them (D: interactions/receiving-and-responding).
const (
	isCommand   = 2
	isComponent = 3
	isComplete  = 4
	isModal     = 5

	replyNow      = 4
	replyLater    = 5
	updateLater   = 6
	updateNow     = 7
	replyChoices  = 8
	replyModal    = 9
	answerWithin  = 3 * time.Second
	tokenLives    = 15 * time.Minute
	maxModalParts = 5
)

// interaction is a command, a press, an autocomplete or a form, from the moment a person does it.
type interaction struct {
	id, token string
	kind      int
	user      string
	channel   *channel
	created   time.Time
	message   *message // whose button was pressed
	answered  bool
	reply     int // the type of the answer
	failed    bool
	timer     *time.Timer
	original  *message
	modal     object
	choices   []object
	event     object // as it was dispatched
}

func (i *interaction) stop() {
	if i.timer != nil {
		i.timer.Stop()
	}
}

func interactionRoutes() []route {
	return []route{{pattern: RouteCallback, do: callback, open: true}}
}

// interact makes an interaction and dispatches it; every session gets it, whatever its intents.
func (s *Server) interact(kind int, user string, ch *channel, m *message, data object) *interaction {
	i := &interaction{id: s.newID(), kind: kind, user: user, channel: ch, created: time.Now(), message: m}
	i.token = "interaction-token-" + i.id
	s.interactions[i.id] = i
	s.latest = append(s.latest, i.id)
	i.timer = time.AfterFunc(answerWithin, func() { s.set(func() { i.failed = !i.answered }) })
	d := object{
		"id": i.id, "application_id": s.bot.ID, "type": kind, "token": i.token, "version": 1, "data": data, "channel_id": ch.id,
		"channel": s.channelObject(ch), "locale": "en-US", "app_permissions": s.permissions(s.bot.ID, ch).String(), "entitlements": []any{},
		"authorizing_integration_owners": object{"0": ch.guildID()}, "context": 0, "attachment_size_limit": maxFile,
	}
	if m != nil {
		d["message"] = s.messageObject(m)
	}
	if g := ch.guild; g != nil {
		member := s.memberObject(g, g.members[user])
		member["permissions"] = s.permissions(user, ch).String()
		d["guild_id"], d["member"], d["guild_locale"] = g.id, member, "en-US"
		d["guild"] = object{"id": g.id, "locale": "en-US", "features": []any{}}
	} else {
		d["user"], d["context"] = userObject(s.users[user]), 1
	}
	i.event = d
	s.emit("INTERACTION_CREATE", scope{}, d)
	return i
}

// Redeliver dispatches an interaction once more, with the same id and token, to every
// session that there is now.
func (s *Server) Redeliver(interaction string) error {
	s.lock()
	defer s.unlock()
	i := s.interactions[interaction]
	if i == nil {
		return fmt.Errorf("discord sim: there is no interaction %s", interaction)
	}
	s.emit("INTERACTION_CREATE", scope{}, i.event)
	return nil
}

// callback is the first answer: within 3 s, once (D: interactions/receiving-and-responding).
func callback(s *Server, c *call) (any, *refusal) {
	i := s.interactions[c.path("interaction")]
	switch {
	case i == nil || i.token != c.path("token"):
		return nil, refuse(10062)
	case i.answered:
		return nil, refuse(40060)
	case i.failed || time.Since(i.created) > answerWithin:
		return nil, refuse(10062)
	}
	var in struct {
		Type int             `json:"type"`
		Data json.RawMessage `json:"data"`
	}
	if bad := c.into(&in); bad != nil {
		return nil, bad
	}
	if !i.allows(in.Type) {
		return nil, notOne("type", "those that this interaction takes")
	}
	data := &call{path: c.path, query: c.query, body: in.Data, files: c.files}
	if string(in.Data) == "null" {
		data.body = nil
	}
	if bad := s.respond(i, in.Type, data); bad != nil {
		return nil, bad
	}
	i.answered, i.reply = true, in.Type
	i.stop()
	if c.query.Get("with_response") != "true" {
		return nil, nil
	}
	out := object{"interaction": object{"id": i.id, "type": i.kind}}
	if i.original != nil {
		out["resource"] = object{"type": in.Type, "message": s.messageObject(i.original)}
	}
	return out, nil
}

// allows says which answers fit (D: interactions/receiving-and-responding, interaction callback type).
func (i *interaction) allows(reply int) bool {
	switch reply {
	case replyNow, replyLater:
		return i.kind != isComplete
	case updateLater, updateNow:
		return i.message != nil && i.kind != isComplete
	case replyChoices:
		return i.kind == isComplete
	case replyModal:
		return i.kind == isCommand || i.kind == isComponent
	}
	return false
}

func (s *Server) respond(i *interaction, reply int, c *call) *refusal {
	switch reply {
	case replyNow, replyLater:
		return s.firstAnswer(i, reply, c)
	case updateLater:
		i.original = i.message
	case updateNow:
		i.original = i.message
		return s.change(i.message, c, onlyUsers)
	case replyChoices:
		var in struct {
			Choices []object `json:"choices"`
		}
		if bad := c.into(&in); bad != nil {
			return bad
		}
		if len(in.Choices) > 25 {
			return tooLong("data.choices", 25)
		}
		if bad := checkChoiceList("data.choices", in.Choices); bad != nil {
			return bad
		}
		i.choices = in.Choices
	case replyModal:
		var in object
		if bad := c.into(&in); bad != nil {
			return bad
		}
		if bad := checkModal(in); bad != nil {
			return bad
		}
		i.modal = in
	}
	return nil
}

func (s *Server) firstAnswer(i *interaction, reply int, c *call) *refusal {
	d, bad := c.read()
	if bad != nil {
		return bad
	}
	m := s.answerBy(i, d.Flags)
	if reply == replyLater {
		m.flags |= flagLoading
	} else {
		if bad := s.compose(m, d, c); bad != nil {
			return bad
		}
		s.resolveMentions(m, d.AllowedMentions, onlyUsers, s.permissions(s.bot.ID, i.channel))
	}
	s.post(m)
	i.original = m
	return nil
}

// answerBy is an empty message that answers an interaction; only the person sees it if the flag is set.
func (s *Server) answerBy(i *interaction, flags int) *message {
	m := &message{channel: i.channel, author: s.bot.ID, from: i, flags: flags & (flagEphemeral | flagSuppress | flagSilent | flagComponentsV2)}
	if i.kind == isCommand {
		m.kind = kindCommand
	}
	if flags&flagEphemeral != 0 {
		m.onlyFor = i.user
	}
	return m
}

// followed finds the interaction whose token stands for a webhook's: it is nil if the webhook is a real one,
// and without an id if the token is unknown.
func (s *Server) followed(c *call) *interaction {
	if c.path("webhook") != s.bot.ID {
		return nil
	}
	for _, i := range s.interactions {
		if i.token == c.path("token") {
			return i
		}
	}
	return &interaction{}
}

// usable refuses after 15 minutes (D: interactions/receiving-and-responding, followup messages; the code is
// K) and before the first answer (K).
func (i *interaction) usable() *refusal {
	switch {
	case i.id == "" || time.Since(i.created) > tokenLives:
		return refuse(50027)
	case !i.answered:
		return refuse(10015)
	}
	return nil
}

// followUp adds a message to an answer. The first one after a deferred answer takes its place, with its
// visibility.
func followUp(s *Server, c *call, i *interaction) (any, *refusal) {
	if bad := i.usable(); bad != nil {
		return nil, bad
	}
	d, bad := c.read()
	if bad != nil {
		return nil, bad
	}
	if o := i.original; o != nil && o.flags&flagLoading != 0 && !o.deleted {
		return s.fillOriginal(i, d, c)
	}
	m := s.answerBy(i, d.Flags)
	m.kind = kindReply
	if bad := s.compose(m, d, c); bad != nil {
		return nil, bad
	}
	s.resolveMentions(m, d.AllowedMentions, onlyUsers, s.permissions(s.bot.ID, i.channel))
	s.post(m)
	return s.messageObject(m), nil
}

func (s *Server) fillOriginal(i *interaction, d *draft, c *call) (any, *refusal) {
	m := i.original
	after := *m
	if bad := s.compose(&after, d, c); bad != nil {
		return nil, bad
	}
	s.resolveMentions(&after, d.AllowedMentions, onlyUsers, s.permissions(s.bot.ID, i.channel))
	after.flags &^= flagLoading
	*m = after
	s.edited(m)
	return s.messageObject(m), nil
}

// answer finds a message by id or @original.
func (s *Server) answer(c *call, i *interaction) (*message, *refusal) {
	if bad := i.usable(); bad != nil {
		return nil, bad
	}
	m := i.original
	if id := c.path("message"); id != "@original" {
		m = i.channel.byID[id]
		if m != nil && m.from != i && m != i.message {
			m = nil
		}
	}
	if m == nil || m.deleted {
		return nil, refuse(10008)
	}
	return m, nil
}

func getAnswer(s *Server, c *call, i *interaction) (any, *refusal) {
	m, bad := s.answer(c, i)
	if bad != nil {
		return nil, bad
	}
	return s.messageObject(m), nil
}

func editAnswer(s *Server, c *call, i *interaction) (any, *refusal) {
	m, bad := s.answer(c, i)
	if bad != nil {
		return nil, bad
	}
	if bad := s.change(m, c, onlyUsers); bad != nil {
		return nil, bad
	}
	m.flags &^= flagLoading
	return s.messageObject(m), nil
}

func deleteAnswer(s *Server, c *call, i *interaction) (any, *refusal) {
	m, bad := s.answer(c, i)
	if bad != nil {
		return nil, bad
	}
	s.remove(m)
	return nil, nil
}

// Interaction is how one stands.
type Interaction struct {
	ID       string
	Answered bool
	Failed   bool // 3 s passed without an answer: the person reads that the app did not respond
	Status   int  // the type of the answer, as 4 for a message and 5 for a deferred one
	Message  *Entry
	Modal    *Modal
	Choices  []Choice
}

// Choice is one that an autocomplete offers.
type Choice struct {
	Name  string
	Value any
}

// Interaction finds one by its id; "" is the newest.
func (s *Server) Interaction(id string) (Interaction, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if id == "" && len(s.latest) > 0 {
		id = s.latest[len(s.latest)-1]
	}
	i := s.interactions[id]
	if i == nil {
		return Interaction{}, false
	}
	out := Interaction{ID: i.id, Answered: i.answered, Failed: i.failed, Status: i.reply, Modal: formOf(i)}
	if i.original != nil && !i.original.deleted {
		e := s.entry(i.original)
		out.Message = &e
	}
	for _, c := range i.choices {
		out.Choices = append(out.Choices, Choice{str(c, "name"), c["value"]})
	}
	return out, true
}
