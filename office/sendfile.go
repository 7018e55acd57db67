package office

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"bullpen/office/wake"
)

// FileStore keeps what colleagues send until it has been shown everywhere.
type FileStore interface {
	// Put keeps at most most bytes, durably, and says under what id; ErrTooBig if
	// there are more.
	Put(r io.Reader, most int64) (id string, size int64, err error)
	// Open opens what Put kept; ErrGone if it is not there.
	Open(id string) (io.ReadCloser, error)
}

// ErrTooBig refuses a file.
var ErrTooBig = errors.New("the file is bigger than the office takes (limits.file_mb)")

// PartsMost is how many parts a platform shows of one message; a longer one goes
// as a file with a line that says what it is.
const PartsMost = 6

// headMost is how much of such a message that line shows, in characters.
const headMost = 300

// KeepFile keeps a file that is to be sent. It is no message yet: see SendFile.
func (o *Office) KeepFile(ctx context.Context, name, kind string, r io.Reader) (File, error) {
	if o.files == nil {
		return File{}, errors.New("this office keeps no files")
	}
	most, err := look(ctx, o, func(s *State) int64 { return s.Limits.FileSize })
	if err != nil {
		return File{}, err
	}
	id, size, err := o.files.Put(r, most)
	return File{ID: id, Name: oneLine(name, fileNameMost), Type: kind, Size: size}, err
}

// SendFile is a colleague's call: a file for where its turn's answer belongs, for
// another channel, or for a person's mailbox. It wakes nobody.
type SendFile struct {
	File File
	Text string // what is said with it; may be empty
	// To is empty for the turn's own conversation, a channel (#dev) or a person (@user).
	To string
}

// SendFile sends a file of KeepFile's for a turn. ErrStale: the attempt is over.
func (o *Office) SendFile(ctx context.Context, ref TurnRef, call SendFile) (Result, error) {
	out, err := o.do(ctx, sendFile{ref, call})
	if err != nil {
		return Result{}, err
	}
	return out.(Result), nil
}

type sendFile struct {
	Ref  TurnRef
	Call SendFile
}

func (r sendFile) decide(d *decision) (any, error) {
	t, err := d.current(r.Ref)
	if err != nil {
		return nil, err
	}
	c := d.s.Colleagues[t.Colleague]
	m := &Message{
		Channel: t.Conv.Channel, Root: t.Conv.Root, ReplyTo: t.ReplyTo, Toward: t.Toward, Text: r.Call.Text, Files: []File{r.Call.File},
		Author: Author{Kind: ByColleague, ID: string(c.ID), Name: c.Name}, Wake: wake.Wake{Kind: wake.Nobody},
	}
	where, refusal := d.addressFile(m, r.Call.To, t)
	if refusal == "" {
		refusal = d.limited(c.ID, m.Channel, false)
	}
	if refusal != "" {
		return refused(refusal), nil
	}
	d.store(m)
	res := d.spoke(t, Result{Text: fmt.Sprintf("[office] Sent %s as %s to %s.", r.Call.File.Name, m.Anchor(), where)})
	d.put(PutTurn{*t})
	return res, nil
}

// addressFile finds where a file goes.
func (d *decision) addressFile(m *Message, to string, t *Turn) (where, refusal string) {
	if to == "" {
		ch := d.s.Channels[t.Conv.Channel]
		if ch.Kind == DirectChannel && ch.Person == "" {
			return "", "this talk is with a colleague, who cannot see your files; name a channel or a person in to"
		}
		return d.place(ch), ""
	}
	m.Root, m.ReplyTo, m.Toward = 0, 0, ""
	if strings.HasPrefix(to, "@") {
		w, err := wake.ParseList([]string{to}, d.names())
		if err != nil || len(w.People) != 1 || len(w.Names) > 0 {
			return "", fmt.Sprintf("%s is no person; people are %s", to, strings.Join(d.s.peopleNames(), ", "))
		}
		p := d.s.People[PersonID(w.People[0])]
		m.Channel = MailboxOf(p.ID)
		m.Deliveries = []Delivery{{To: string(p.ID), Name: p.Name, Outcome: InMailbox}}
		return p.Name + "'s mailbox", ""
	}
	ch, refusal := d.postable(to, t)
	if refusal != "" {
		return "", refusal
	}
	m.Channel = ch.ID
	if ch.ID == t.Conv.Channel {
		m.Root = t.Conv.Root
	}
	return "#" + ch.Name, ""
}

// load makes the entry of the outbox carry a message: its parts, and behind them
// its files. A text of too many parts becomes a file.
func (s *State) load(x *Send, p *Portal, m *Message) {
	x.Parts = s.split(p, m)
	for _, f := range m.Files {
		if f.GoesTo(p) {
			x.Files = append(x.Files, f)
		}
	}
	if len(x.Parts) <= PartsMost {
		return
	}
	x.Parts = []string{fmt.Sprintf("%s\n\n(All of it, %d characters, is in the file.)", oneLine(x.Parts[0], headMost), len([]rune(m.Text)))}
	whole := File{Name: safeName(m.Author.Name + "-" + m.Anchor().String() + ".md"), Type: "text/markdown", Size: int64(len(m.Text)), Whole: true}
	x.Files = append([]File{whole}, x.Files...)
}

// Total is how many parts an entry has, its files among them.
func (s *Send) Total() int {
	if s.Change {
		return 1
	}
	return len(s.Parts) + len(s.Files)
}

// File is the file that is the next part; nil if that is a text.
func (s *Send) File() *File {
	if i := s.Part - len(s.Parts); i >= 0 && i < len(s.Files) {
		return &s.Files[i]
	}
	return nil
}
