package office

import (
	"slices"
	"strings"
)

// is says whether a platform calls the message so.
func (in Inbound) is(id string) bool { return in.Native == id || slices.Contains(in.More, id) }

// joinParked puts the late part of a message to the message itself where that still
// waits, so that both are taken in as one. False without an error means that nothing
// in the office has that name.
func (d *decision) joinParked(in Inbound) (Receipt, bool, error) {
	for _, x := range d.s.parked[in.Portal] {
		if !x.In.is(in.Of) {
			continue
		}
		if !x.In.is(in.Native) {
			whole := *x
			whole.In = joined(x.In, in)
			d.put(PutParked{whole})
			return Receipt{Parked: true}, true, nil
		}
		return Receipt{Parked: true, Again: true}, true, nil
	}
	if _, known := d.s.natives.find(in.Portal, in.Of); known {
		return Receipt{}, false, errLookAgain // its message came in after the record was asked
	}
	return Receipt{}, false, nil
}

// joined is a message with its late part. A text that would be too long with it is
// left as it is: the files are what the part is about.
func joined(whole, part Inbound) Inbound {
	whole.More = slices.Clone(whole.More)
	for _, id := range append([]string{part.Native}, part.More...) {
		if !whole.is(id) {
			whole.More = append(whole.More, id)
		}
	}
	whole.Files = append(slices.Clone(whole.Files), part.Files...)
	text := strings.TrimSpace(part.Text)
	switch {
	case text == "" || len(whole.Text)+len(part.Text) >= MaxPersonText:
	case strings.TrimSpace(whole.Text) == "":
		whole.Text, whole.Spans = part.Text, part.Spans
	default:
		head := len(whole.Text) + 1
		whole.Text += "\n" + part.Text
		whole.Spans = slices.Clone(whole.Spans)
		for _, s := range part.Spans {
			s.Start, s.End = s.Start+head, s.End+head
			whole.Spans = append(whole.Spans, s)
		}
	}
	return whole
}
