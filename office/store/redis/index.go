package redis

import (
	"fmt"
	"strconv"
	"strings"

	"bullpen/office"
)

// line is a message in an index: what it takes to tell whether a query wants
// it, its text left out.
type line struct {
	channel       office.ChannelID
	seq, no, root int64
	author        string
}

func lineOf(m *office.Message) line {
	return line{channel: m.Channel, seq: m.Seq, no: m.No, root: m.Root, author: m.Author.ID}
}

// name is the beginning of the line that no change of the message alters.
func (l line) name() string {
	return strconv.Quote(string(l.channel)) + " " + strconv.FormatInt(l.seq, 10) + " " + strconv.FormatInt(l.no, 10) + " "
}

// String is the line as it is stored.
func (l line) String() string {
	return l.name() + strconv.FormatInt(l.root, 10) + " " + strconv.Quote(l.author)
}

func (l line) anchor() office.Anchor { return office.Anchor{Channel: l.channel, Seq: l.seq} }

// parseLine reads what String wrote.
func parseLine(s string) (line, error) {
	bad := func() (line, error) {
		return line{}, &badValue{what: "line of an index", err: fmt.Errorf("it is %.80q", s)}
	}
	quoted, err := strconv.QuotedPrefix(s)
	if err != nil {
		return bad()
	}
	f := strings.SplitN(s[len(quoted):], " ", 5) // the first is empty
	if len(f) != 5 {
		return bad()
	}
	var l line
	channel, err1 := strconv.Unquote(quoted)
	author, err2 := strconv.Unquote(f[4])
	if err1 != nil || err2 != nil {
		return bad()
	}
	l.channel, l.author = office.ChannelID(channel), author
	for i, p := range []*int64{&l.seq, &l.no, &l.root} {
		if *p, err = strconv.ParseInt(f[i+1], 10, 64); err != nil {
			return bad()
		}
	}
	return l, nil
}
