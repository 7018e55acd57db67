package office

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"bullpen/office/wake"
)

// The frame is how messages reach a model: for each where it was said, by
// whom, its wake and its anchor, then its text between fences that the text
// itself cannot close. What stands outside of fences is the office's.

const (
	// closingLine stands once at the end of every frame.
	closingLine = "(Your own text answers only a person who addressed you, here. To reach a colleague use an office tool.)"
	// oldAfter is the age from which a message's age is told.
	oldAfter = time.Minute
	// nameLimit bounds a name within a frame, in characters.
	nameLimit = 64
)

// frame is the transcript entry that shows items to the colleague of t.
func (d *decision) frame(t *Turn, items []*Item) Entry {
	e := Entry{Kind: EntryFrame}
	var b strings.Builder
	for i, it := range items {
		if i > 0 {
			b.WriteByte('\n')
		}
		d.frameItem(&b, it)
		e.Items = append(e.Items, it.ID)
		if it.Body.Cut || len(it.Body.Files) > 0 {
			e.Files = append(e.Files, it.Message)
		}
	}
	if c := d.s.Colleagues[t.Colleague]; c.Role.leads() {
		b.WriteString(d.rosterNews(c))
		b.WriteString("\nOffice status: " + d.officeStatus(c.ID) + "\n")
	}
	if last := items[len(items)-1]; true {
		if ch := d.s.Channels[last.Message.Channel]; ch.Last > last.Message.Seq {
			fmt.Fprintf(&b, "\n(%s has moved on to %s; read what is not shown here with office_read.)\n",
				d.place(ch), Anchor{Channel: ch.ID, Seq: ch.Last})
		}
	}
	b.WriteString("\n" + closingLine)
	e.Text = b.String()
	return e
}

func (d *decision) frameItem(b *strings.Builder, it *Item) {
	m := it.Body
	if it.Folded > 0 {
		fmt.Fprintf(b, "[office] %d older messages for you, from %s on, are not shown: too many were waiting. Read them with office_read.\n", it.Folded, it.FoldedFrom)
	}
	fmt.Fprintf(b, "[%s | %s | %s | wake %s", m.Anchor(), d.place(d.s.Channels[m.Channel]), d.by(m.Author), oneLine(m.Wake.Address(d.names()), 200))
	if m.Root != 0 {
		fmt.Fprintf(b, " | thread of %s", Anchor{Channel: m.Channel, Seq: m.Root})
	}
	if m.ReplyTo != 0 {
		fmt.Fprintf(b, " | answers %s", Anchor{Channel: m.Channel, Seq: m.ReplyTo})
	}
	if age := d.now.Sub(m.At); age > oldAfter {
		fmt.Fprintf(b, " | %s ago", age.Round(time.Minute).String())
	}
	if it.Quiet {
		b.WriteString(" | note")
	}
	b.WriteString("]\n")
	if m.Text != "" || len(m.Files) == 0 {
		fence := fenceFor(m.Text)
		b.WriteString(fence + "\n" + m.Text)
		if !strings.HasSuffix(m.Text, "\n") {
			b.WriteByte('\n')
		}
		b.WriteString(fence + "\n")
	}
	frameFiles(b, m)
	if it.Body.Cut {
		fmt.Fprintf(b, "(This is only the beginning; the whole text is in your workspace: %s)\n", LongTextFile(it.Message))
	}
}

// frameFiles says which files came with a message and where they stand.
func frameFiles(b *strings.Builder, m *Message) {
	if len(m.Files) == 0 {
		return
	}
	b.WriteString("(With it came, in your workspace:\n")
	for i, f := range m.Files {
		if f.Refused != "" {
			fmt.Fprintf(b, "- %s was not taken: %s\n", quoted(f.Name), f.Refused)
			continue
		}
		about := oneLine(f.Type, nameLimit)
		if f.Size > 0 {
			about = strings.TrimPrefix(about+", "+bytesInWords(f.Size), ", ")
		}
		fmt.Fprintf(b, "- %s", InboxFile(m.Anchor(), i, f.Name))
		if about != "" {
			fmt.Fprintf(b, " (%s)", about)
		}
		b.WriteByte('\n')
	}
	b.WriteString(")\n")
}

// LongTextFile is where a message that is too long for a frame stands whole,
// relative to the workspace of the colleague that it is for.
func LongTextFile(a Anchor) string { return "inbox/" + a.String() + ".txt" }

// place names a channel for a colleague.
func (d *decision) place(ch *Channel) string {
	switch ch.Kind {
	case DirectChannel:
		return "direct message"
	case MailboxChannel:
		return "mailbox"
	default:
		return "#" + oneLine(ch.Name, nameLimit)
	}
}

// by names an author so that a person can never be taken for a colleague or
// for the office: the kind stands outside the quotes.
func (d *decision) by(a Author) string {
	switch a.Kind {
	case ByColleague:
		return "from colleague " + quoted(a.Name)
	case ByOffice:
		return "from the office"
	default:
		if p := d.s.People[PersonID(a.ID)]; p != nil && p.Owner {
			if wake.Fold(a.Name) == string(DefaultOwner) {
				return "from the user"
			}
			return "from the user, " + quoted(a.Name)
		}
		return "from the person " + quoted(a.Name)
	}
}

// rosterMoved notes that somebody came, left or is called or placed otherwise.
func (d *decision) rosterMoved() { d.next(&d.s.Meta.Roster) }

// rosterNews tells a leader, once for each time, that the roster has changed
// since it was last told.
func (d *decision) rosterNews(c *Colleague) string {
	if c.Told == d.s.Meta.Roster {
		return ""
	}
	told := *c
	told.Told = d.s.Meta.Roster
	d.put(PutColleague{told})
	if c.Told == 0 && c.LastActive.IsZero() {
		return "" // its first frame: what it is told is all new
	}
	return "\nThe roster has changed since you were last told: office_colleagues shows who is there now.\n"
}

// officeStatus is what everybody does at this moment; reader is who is told, whose
// turn begins with it.
func (d *decision) officeStatus(reader ColleagueID) string {
	parts := make([]string, 0, len(d.s.roster))
	for _, id := range d.s.roster {
		c := d.s.Colleagues[id]
		status := d.s.status(c)
		if id == reader {
			status = Running
		}
		parts = append(parts, fmt.Sprintf("%s %s", c.Name, status))
	}
	return strings.Join(parts, "; ") + "."
}

// fenceFor is a line of tildes longer than any in the text, so that nothing in
// the text can close it.
func fenceFor(text string) string {
	longest, run := 0, 0
	for i := range len(text) {
		if text[i] == '~' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	return strings.Repeat("~", max(4, longest+1))
}

func quoted(name string) string {
	return `"` + strings.ReplaceAll(oneLine(name, nameLimit), `"`, "'") + `"`
}

// oneLine makes a name or a reason fit within a line: no line breaks, nothing
// invisible or direction-changing, bounded.
func oneLine(s string, limit int) string {
	var b strings.Builder
	n := 0
	space := false
	for _, r := range s {
		if n == limit {
			b.WriteString("…")
			break
		}
		switch {
		case r == utf8.RuneError, unicode.IsControl(r) && !unicode.IsSpace(r), unicode.Is(unicode.Cf, r):
			continue
		case unicode.IsSpace(r):
			space = b.Len() > 0
			continue
		}
		if space {
			b.WriteByte(' ')
			n++
			space = false
		}
		b.WriteRune(r)
		n++
	}
	return b.String()
}
