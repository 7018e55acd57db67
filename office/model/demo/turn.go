package demo

import (
	"encoding/json"
	"regexp"
	"strings"

	"bullpen/office/model"
)

// message is one message of a frame.
type message struct {
	anchor        string
	from          string // the colleague's or person's name
	fromColleague bool
	fromOffice    bool
	crowd         bool // a level or a channel was called, not this colleague
	text          string
}

// turn is what happened since the model last finished one.
type turn struct {
	messages []message
	results  map[string]model.Message // by call id
	said     map[string]saying        // by the anchor of what it answers
	steps    int                      // answers with calls so far
	last     []model.Call             // of the last such answer
}

// spokeHere says whether the last step posted where the turn is and woke nobody,
// which passes for the turn's answer: no final text follows it.
func (t turn) spokeHere() bool {
	for _, c := range t.last {
		var args struct {
			Channel string
			Wake    []string
		}
		if c.Name != "office_post" || t.results[c.ID].Failed || json.Unmarshal(c.Args, &args) != nil || len(args.Wake) > 0 {
			continue
		}
		channel := strings.TrimPrefix(args.Channel, "#")
		if channel == "" || strings.EqualFold(channel, t.channel()) {
			return true
		}
	}
	return false
}

// channel is where the turn is: that of the anchors of its messages.
func (t turn) channel() string {
	if len(t.messages) == 0 {
		return ""
	}
	anchor := t.messages[0].anchor
	return anchor[:max(0, strings.LastIndexByte(anchor, '-'))]
}

// saying is what became of an answer that was posted and not left to the final text.
type saying int

const (
	unsaid saying = iota
	posted
	refused
)

// A post that answers messages has their anchors in the id of its call.
const (
	sayMark  = ".say"
	sayComma = "+" // no name of a channel has it
)

func sayID(anchors []string) string { return strings.Join(anchors, sayComma) + sayMark }

// result takes in what a call returned.
func (t *turn) result(m model.Message) {
	t.results[m.CallID] = m
	anchors, is := strings.CutSuffix(m.CallID, sayMark)
	if !is {
		return
	}
	became := posted
	if m.Failed {
		became = refused
	}
	for anchor := range strings.SplitSeq(anchors, sayComma) {
		t.said[anchor] = became
	}
}

var header = regexp.MustCompile(`^\[([^ |\]]+) \| [^|\]]* \| from (the user|the office|colleague|the person)(?:,? "([^"]*)")? \| wake ([^|]*).*\]$`)

// thisTurn reads the transcript behind the last answer without calls.
func thisTurn(messages []model.Message) turn {
	t := turn{results: map[string]model.Message{}, said: map[string]saying{}}
	begin := 0
	for i, m := range messages {
		ended := m.Role == model.RoleUser && strings.HasPrefix(m.Text, "[office] The turn above ended")
		if m.Role == model.RoleAssistant && len(m.Calls) == 0 || ended {
			begin = i + 1
		}
	}
	for _, m := range messages[begin:] {
		switch m.Role {
		case model.RoleUser:
			t.messages = append(t.messages, parseFrame(m.Text)...)
		case model.RoleTool:
			t.result(m)
		case model.RoleAssistant:
			t.steps, t.last = t.steps+1, m.Calls
		}
	}
	return t
}

// parseFrame reads the messages of a frame: a header line, and the text
// between two equal lines of tildes.
func parseFrame(text string) []message {
	var found []message
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines)-1; i++ {
		h := header.FindStringSubmatch(lines[i])
		fence := lines[i+1]
		if h == nil || len(fence) < 4 || strings.Trim(fence, "~") != "" {
			continue
		}
		var body []string
		for i += 2; i < len(lines) && lines[i] != fence; i++ {
			body = append(body, lines[i])
		}
		found = append(found, message{
			anchor: h[1], from: h[3], fromColleague: h[2] == "colleague", fromOffice: h[2] == "the office",
			crowd: strings.HasPrefix(h[4], "$") || strings.HasPrefix(h[4], "#"),
			text:  strings.Join(body, "\n"),
		})
	}
	return found
}
