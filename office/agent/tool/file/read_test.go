package file

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReadShowsTheTextAsItIs(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, map[string]string{
		"plain":  "a\n\tb\n\nc",
		"empty":  "",
		"crlf":   "a\r\nb\r\n",
		"umlaut": "grüße 👋\n",
		"latin":  "gr\xfc\xdfe\n",
		"bmp":    "BMW makes cars\n",
	})
	for path, want := range map[string]string{
		"plain":  "a\n\tb\n\nc\n",
		"empty":  "[empty is empty]",
		"crlf":   "a\nb\n[lines end in CRLF; edit keeps that]",
		"umlaut": "grüße 👋\n",
		"latin":  "gr\uFFFD\uFFFDe\n[2 bytes not valid UTF-8, shown as \uFFFD]",
		"bmp":    "BMW makes cars\n",
	} {
		if got := w.says("read", obj{"path": path}); got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
}

func TestReadPagesThroughALongFile(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for i := 1; i <= 4500; i++ {
		fmt.Fprintf(&text, "line %d\n", i)
	}
	w := newWorkspace(t, map[string]string{"long": text.String()})
	var all string
	for offset := 1; ; offset += maxLines {
		got := w.says("read", obj{"path": "long", "offset": offset})
		body, note, _ := strings.Cut(got, "[")
		all += body
		if note == "" {
			break
		}
		want := fmt.Sprintf("lines %d to %d of 4,500 are shown; read on with offset %d]", offset, offset+maxLines-1, offset+maxLines)
		if note != want {
			t.Fatalf("note %q, want %q", note, want)
		}
	}
	if all != text.String() {
		t.Error("the pages do not add up to the file")
	}
	w.refuses("read", obj{"path": "long", "offset": 4501}, "has 4,500 lines", "no line 4,501")
	w.says("read", obj{"path": "long", "limit": 99_999_999}, "lines 1 to 2000 of 4,500")
}

func TestReadIsBoundedBySize(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, map[string]string{
		"wide":  strings.Repeat(strings.Repeat("x", 999)+"\n", 100),
		"line":  "ä" + strings.Repeat("ö", 100_000) + "\nend\n",
		"crcut": strings.Repeat("x", maxLine) + "\r\n",
	})
	got := w.says("read", obj{"path": "wide"}, "lines 1 to 51 of 100 are shown; read on with offset 52")
	if len(got) > maxOutput+200 {
		t.Errorf("%d bytes", len(got))
	}
	w.says("read", obj{"path": "line"}, "ö… [198,002 more bytes in this line]\nend\n", "1 long line cut")
	if got := w.says("read", obj{"path": "crcut"}); strings.Contains(got, "more byte") {
		t.Errorf("a line of just the longest length is cut: %q", got[maxLine:])
	}
}

func TestAHugeFileIsReadOnlyInPart(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, map[string]string{"huge": strings.Repeat("some text\n", 2000), "log": ""})
	p := filepath.Join(w.dir, "huge")
	if err := os.Truncate(p, 1<<40); err != nil { // sparse
		t.Fatal(err)
	}
	w.says("read", obj{"path": "huge", "limit": 2}, "some text\nsome text\n[lines 1 to 2 of more than")
	w.refuses("read", obj{"path": "huge", "offset": 1_000_000}, "beyond the first 128 MB")
	w.refuses("edit", obj{"path": "huge", "old": "some", "new": "any"}, "the most that edit takes is 8 MB")
	w.says("grep", obj{"pattern": "nothing"}, "256 MB were searched")
}

func TestBinaryFilesAreDescribed(t *testing.T) {
	t.Parallel()
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 64, 48))); err != nil {
		t.Fatal(err)
	}
	w := newWorkspace(t, map[string]string{
		"p.png":   picture.String(),
		"x.bin":   "MZ\x00\x01\x02",
		"doc.pdf": "%PDF-1.7\nabc",
		"u16.txt": "\xff\xfea\x00b\x00",
	})
	w.says("read", obj{"path": "p.png"}, fmt.Sprintf("p.png is an image (image/png, 64 x 48 pixels, %s)", counted(picture.Len(), "byte")))
	w.says("read", obj{"path": "x.bin"}, "x.bin is a binary file (application/octet-stream, 5 bytes)")
	w.says("read", obj{"path": "doc.pdf"}, "application/pdf")
	w.says("read", obj{"path": "u16.txt"}, "UTF-16")
	w.refuses("edit", obj{"path": "x.bin", "old": "MZ", "new": "ZM"}, "edit changes text only")
}
