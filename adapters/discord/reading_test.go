package discord

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"image"
	"image/jpeg"
	"maps"
	"slices"
	"strings"
	"testing"

	sim "bullpen/internal/sim/discord"
	"bullpen/office/model"
)

// What a colleague writes is read as it was meant: emphasis is emphasis, and what
// stands in code, in names and in links is left alone (B22).
func TestWhatAColleagueWritesIsReadAsItWasMeant(t *testing.T) {
	for name, tc := range map[string]struct {
		said string
		want []string
		not  []string
	}{
		"emphasis":      {"**b** *i* ~~s~~", []string{"**b** *i* ~~s~~"}, nil},
		"a link":        {"[t](https://e.test/a_b_c)", []string{"[t](<https://e.test/a_b_c>)"}, []string{`a\_b`}},
		"bold address":  {"**<https://e.test/1>**", []string{"https://e.test/1"}, []string{"****", `\*`}},
		"a code span":   {"so `2 ** 3 * 4` it is", []string{"`2 ** 3 * 4`"}, []string{`\*`}},
		"a code block":  {"```go\n**x** <@1> @everyone\n```", []string{"```go\n**x** <@1> @everyone\n```"}, nil},
		"CJK bold":      {"中**粗**文", []string{"中**粗**文"}, nil},
		"a name":        {"call snake_case_name now", []string{"snake_case_name"}, []string{"*"}},
		"a table":       {"| what | how |\n| --- | --- |\n| **Speed** | good |", []string{"Speed", "good"}, []string{"| --- |"}},
		"literal stars": {`2 \* 3 \* 4`, []string{`2 \* 3 \* 4`}, nil},
		"no heading":    {"issue #12 and # H", []string{"#12"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(w *world) {
				w.connected()
				w.says("kim", dev, "@alice hi")
				w.Until("it is shown", func() bool { return len(w.entries(dev)) == 1 })
				got := w.entries(dev)[0].Text
				for _, x := range tc.want {
					if !strings.Contains(got, x) {
						t.Errorf("%q lacks %q", got, x)
					}
				}
				for _, x := range tc.not {
					if strings.Contains(got, x) {
						t.Errorf("%q has %q", got, x)
					}
				}
			}, answering(tc.said))
		})
	}
}

// Names are found behind signs of more than one unit of UTF-16, and commands as
// well (B13).
func TestNamesBehindEmojiAreFound(t *testing.T) {
	for _, front := range []string{"🎉🎉 ", "<:party:1100000000000000301> ", "<a:wave:1100000000000000302> ", "𠀀𠀁 ", "👩‍👩‍👧‍👦 ", "\u202e "} {
		t.Run(front, func(t *testing.T) {
			bubble(t, func(w *world) {
				w.connected()
				w.says("kim", dev, front+"<@&"+w.roleID("alice")+"> go")
				w.says("kim", dev, front+"@bob go")
				w.Idle()
				if w.Count("alice: ") != 1 || w.Count("bob: ") != 1 {
					t.Errorf("%q", w.Turns())
				}
			})
		})
	}
}

// roleID is the id of a role of the server.
func (w *world) roleID(name string) string {
	w.a.mu.Lock()
	defer w.a.mu.Unlock()
	for id, r := range w.a.home.roles {
		if r.Name == name {
			return id
		}
	}
	w.Fatalf("there is no role %s", name)
	return ""
}

// png is the beginning of a picture of a size, with padding.
func png(width, height uint32, size int) []byte {
	data := []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR")
	data = binary.BigEndian.AppendUint32(data, width)
	data = binary.BigEndian.AppendUint32(data, height)
	data = append(data, "\x08\x02\x00\x00\x00\x00\x00\x00\x00"...)
	return append(data, make([]byte, max(0, size-len(data)))...)
}

// photo is a whole picture.
func photo(width, height int) []byte {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, width, height)), nil); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// Pictures that no model takes cost nobody the talk that follows (B58).
func TestOddPicturesCostNotTheTalk(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		for _, f := range []sim.File{
			{Name: "large.png", Type: "image/png", Data: png(4000, 4000, 6<<20)},
			{Name: "wide.png", Type: "image/png", Data: png(9000, 10, 200)},
			{Name: "photo.jpg", Type: "image/jpeg", Data: photo(9000, 20)},
			{Name: "text.png", Type: "image/png", Data: []byte("this is text")},
			{Name: "broken.webp", Type: "image/webp", Data: []byte("RIFF\x00\x00\x00\x00WEBPVP8 ")},
		} {
			w.sends("kim", sim.Said{Channel: dev, Text: "@bob look at " + f.Name, Files: []sim.File{f}})
			w.Idle()
		}
		w.says("kim", dev, "@bob hello")
		w.Until("all are answered", func() bool { return len(w.entries(dev)) == 6 })
		if w.Count("hello") != 1 || len(w.Inbox("bob")) != 6 || !strings.Contains(w.Given("bob"), "a smaller copy is inbox/dev-") {
			t.Errorf("%q, %d files", w.Turns(), len(w.Inbox("bob")))
		}
	}, func(w *world) {
		w.Answer = func(_ context.Context, _ string, req *model.Request) (*model.Response, error) {
			for _, m := range req.Messages {
				if len(m.Text) > 1<<20 {
					return nil, fmt.Errorf("%d bytes are too many", len(m.Text))
				}
			}
			return text("ok"), nil
		}
	})
}

// Several files of one message make one turn, with what was written beside them;
// one that cannot be had is named (B83).
func TestFilesSentTogetherAreOneTurn(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		var all []sim.File
		for i := range 4 {
			all = append(all, sim.File{Name: fmt.Sprintf("p%d.txt", i), Type: "text/plain", Data: fmt.Appendf(nil, "picture %d", i)})
		}
		gone := func(d map[string]any) {
			files := slices.Clone(d["attachments"].([]map[string]any))
			files[2] = maps.Clone(files[2])
			files[2]["url"] = w.srv.URL() + "/attachments/1/1/gone.txt"
			d["attachments"] = files
		}
		w.sends("kim", sim.Said{Channel: dev, Text: "@bob all four", Files: all, Change: gone})
		w.shows(dev, "bob: ok")
		w.Idle()
		if n := len(w.Turns()); n != 1 {
			t.Fatalf("%q", w.Turns())
		}
		if !strings.Contains(w.Turns()[0], `"p2.txt" could not be had`) {
			t.Errorf("%q", w.Turns())
		}
		if got := w.Inbox("bob"); len(got) != 3 {
			t.Errorf("%q", got)
		}
	})
}

// Ids keep all of their digits, and what is none is no id (B72).
func TestIdsKeepTheirDigits(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"1203948571029384756", "1100000000000000001", "0000000000000000001", "18446744073709551615"} {
		if got := mark(number(id)); strings.TrimLeft(got, "0") != strings.TrimLeft(id, "0") {
			t.Errorf("%s became %s", id, got)
		}
	}
	for _, id := range []string{"1e18", "1.2e+18", "-100", "1_000", "", "18446744073709551616", " 1"} {
		if n := number(id); n != 0 {
			t.Errorf("%q is %d", id, n)
		}
	}
	ids := []string{mark(9), mark(10), mark(1203948571029384756)}
	if !slices.IsSorted(ids) {
		t.Errorf("%q", ids)
	}
}
