package office

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"bullpen/office/wake"
)

// QuestionKind says what is decided by a question.
type QuestionKind string

// The kinds of question.
const (
	// ChainQuestion: may colleagues go on that have woken each other?
	ChainQuestion QuestionKind = "chain"
	// AskQuestion is a colleague's own: see AskCall.
	AskQuestion QuestionKind = "ask"
	// ApproveQuestion: may a colleague run a call?
	ApproveQuestion QuestionKind = "approve"
	// DeadQuestion: is a colleague to be revived that gave no sign of life?
	DeadQuestion QuestionKind = "dead"
	// PlaceQuestion: is what was said in a direct talk to be posted in a channel?
	PlaceQuestion QuestionKind = "place"
)

// Bounds of a question.
const (
	// OptionsMost is how many buttons a question may have, LabelMost how many
	// characters one shows.
	OptionsMost = 5
	LabelMost   = 40
)

// Question is a decision that the office, or a colleague, asks of a person: by
// a press of one of its buttons, or by a text.
type Question struct {
	// ID cannot be guessed; it is used up when the question is decided.
	ID   string       `json:"id"`
	Kind QuestionKind `json:"kind"`
	// Conv is where it is asked, or what it is about.
	Conv Conversation `json:"conv"`
	// Text is what is asked. Options are its buttons, at most OptionsMost; Free
	// says that a text answers it as well.
	Text    string   `json:"text,omitempty"`
	Options []string `json:"options,omitempty"`
	Free    bool     `json:"free,omitempty"`
	// For are those who may decide it; empty: the owner and the admins.
	For []PersonID `json:"for,omitempty"`
	// Until is how long it is waited for; zero: as long as it takes.
	Until time.Time `json:"until,omitzero"`
	At    time.Time `json:"at"`
	// Message shows it. It is zero where several do.
	Message Anchor `json:"message,omitzero"`
	// Shown are the messages that show it, where there may be several.
	Shown []Anchor `json:"shown,omitempty"`

	// From is the colleague whose call waits for it, in Person's context: call Call
	// of turn Turn. Late says that the call no longer waits: an answer is mail.
	From   ColleagueID `json:"from,omitempty"`
	Person PersonID    `json:"person,omitempty"`
	Turn   int64       `json:"turn,omitempty"`
	Call   int         `json:"call,omitempty"`
	Late   bool        `json:"late,omitempty"`
	// Placed is what a PlaceQuestion is about.
	Placed *Placed `json:"placed,omitempty"`
}

// may says whether a person may decide the question.
func (q *Question) may(who *Person) bool {
	if len(q.For) == 0 {
		return who.Owner || who.Admin
	}
	return slices.Contains(q.For, who.ID)
}

// read finds out what a text says to a question: one of its options, by its
// label or its number, or, where that is allowed, the text itself. Names that
// it is addressed to do not count.
func (q *Question) read(text string) (response, bool) {
	var words []string
	for _, w := range strings.Fields(text) {
		if !strings.HasPrefix(w, "@") {
			words = append(words, w)
		}
	}
	said := wake.Fold(strings.Join(words, " "))
	for i, label := range q.Options {
		if said == wake.Fold(label) || said == strconv.Itoa(i+1) {
			return response{option: i}, true
		}
	}
	return response{option: -1, text: text}, q.Free && said != ""
}

// response is what somebody said to a question: the number of an option, or, if
// that is negative, a text.
type response struct {
	option int
	text   string
}

// words is the answer as it reads.
func (q *Question) words(a response) string {
	if a.option >= 0 {
		return q.Options[a.option]
	}
	return a.text
}

// choices is the line of a question's message that says how it is answered,
// for places that have no buttons.
func (q *Question) choices() string {
	var b strings.Builder
	for i, label := range q.Options {
		fmt.Fprintf(&b, "%d. %s\n", i+1, label)
	}
	if q.Free {
		b.WriteString("(Reply to this message with your answer.)")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// checkOptions says what is wrong with the buttons of a question.
func checkOptions(options []string) string {
	if len(options) > OptionsMost {
		return fmt.Sprintf("%d options are too many, a question has at most %d; ask something narrower", len(options), OptionsMost)
	}
	for i, label := range options {
		n := utf8.RuneCountInString(label)
		switch {
		case n == 0 || n > LabelMost || oneLine(label, LabelMost) != label:
			return fmt.Sprintf("option %d has to be one line of 1 to %d characters", i+1, LabelMost)
		case slices.ContainsFunc(options[:i], func(o string) bool { return wake.Fold(o) == wake.Fold(label) }):
			return fmt.Sprintf("option %d, %q, stands there twice", i+1, label)
		}
	}
	return ""
}

// press is a person's answer to a question: an option, or a text if there is one.
type press struct {
	ID     string
	Option int
	Text   string
	By     PersonID
}

func (r press) decide(d *decision) (any, error) {
	who, q := d.s.People[r.By], d.s.Questions[r.ID]
	switch {
	case who == nil:
		return nil, fmt.Errorf("only people of this office may decide this")
	case q == nil:
		return nil, fmt.Errorf("this has been decided already, or is asked no more")
	case !q.may(who) && len(q.For) == 0:
		return nil, fmt.Errorf("only the owner and the admins may decide this")
	case !q.may(who):
		return nil, fmt.Errorf("only %s may decide this", d.s.personNames(q.For))
	}
	a := response{option: r.Option}
	if r.Text != "" {
		var ok bool
		if a, ok = q.read(r.Text); !ok {
			return nil, fmt.Errorf("%q is none of the answers; there are %s", oneLine(r.Text, LabelMost), strings.Join(q.Options, ", "))
		}
	} else if r.Option < 0 || r.Option >= len(q.Options) {
		return nil, fmt.Errorf("the question has no answer %d; there are %d", r.Option+1, len(q.Options))
	}
	return d.decideQuestion(q, who, a), nil
}

// decideQuestion carries out what an answer decides. The text says it to
// whoever sees the question.
func (d *decision) decideQuestion(q *Question, who *Person, a response) string {
	d.put(DeleteQuestion{ID: q.ID})
	said := ""
	switch q.Kind {
	case AskQuestion:
		said = d.answered(q, who, a)
	case ApproveQuestion:
		said = d.approved(q, who, a.option == 0)
	case PlaceQuestion:
		said = d.putWhere(q, who, a)
	case DeadQuestion:
		said = d.revive(q.From, who.Name, "")
	default:
		said = d.letGoOn(q, who)
	}
	d.closeQuestion(q, said)
	return said
}

// personNames names people, for refusals.
func (s *State) personNames(ids []PersonID) string {
	var names []string
	for _, id := range ids {
		if p := s.People[id]; p != nil {
			names = append(names, oneLine(p.Name, nameLimit))
		}
	}
	return orNobody(names)
}

// Audit is one line of what somebody had the office do.
type Audit struct {
	At      time.Time `json:"at"`
	By      string    `json:"by"`
	From    string    `json:"from,omitempty"` // the platform or place
	What    string    `json:"what"`
	Outcome string    `json:"outcome"`
}

func (d *decision) audit(a Audit) {
	a.At = d.now
	d.audits = append(d.audits, a)
	d.put(AppendAudit{a})
}
