package storetest

import (
	"strings"
	"testing"

	"bullpen/office"
)

// texts are what people and tools may say. A store keeps each as the bytes it is.
var texts = []string{
	"",
	" \t\r\n ",
	"null",
	`{"text":"\u0000"}`,
	"nul\x00in the middle",
	"\x00",
	"half a rune \xe2\x98",
	"\xff\xfe\x80\xed\xa0\x80",
	"e\u0301 is not \u00e9",
	"\u2028\u2029\ufeff\ufffd\U0010ffff",
	"👩‍👩‍👧‍👦 \u202eright to left",
	"'; DROP TABLE message; --",
	strings.Repeat("long\x00\xff☃ ", office.MaxPersonText/12),
}

func testText(t *testing.T, open Open) {
	o := own(t, open)
	for i, text := range texts {
		o.roundTrip(int64(i+1), text)
	}
	o.restart()
	for i, text := range texts {
		o.wantText(int64(i+1), text)
	}
}

// FuzzText checks that text of any bytes comes back as the bytes it was.
func FuzzText(f *testing.F, open Open) {
	for _, text := range texts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		o := own(t, open)
		o.roundTrip(1, text)
		o.wantText(1, text)
		o.restart()
		o.wantText(1, text)
	})
}

var textContext = office.ContextID{Colleague: "c1"}

// roundTrip stores text wherever text is kept as bytes, as number n, with an
// item that shows it.
func (o *owner) roundTrip(n int64, text string) {
	o.t.Helper()
	m := message("dev", n, n)
	m.Text = text
	e := entry(textContext, n)
	e.Text = text
	o.commit(office.PutMessage{Message: m}, office.PutItem{Item: item(1, m.Anchor())}, office.AppendEntry{Entry: e})
	if body := o.load().Items[0].Body; body == nil || body.Text != text {
		o.t.Errorf("an item's text does not come back as %.80q", text)
	}
}

func (o *owner) wantText(n int64, text string) {
	o.t.Helper()
	if got := o.messages(office.MessageQuery{From: n, To: n}).Messages; len(got) != 1 || got[0].Text != text {
		o.t.Errorf("a message's text does not come back as %.80q", text)
	}
	if got := o.transcript(textContext, 0); int(n) > len(got) || got[n-1].Text != text {
		o.t.Errorf("an entry's text does not come back as %.80q", text)
	}
}
