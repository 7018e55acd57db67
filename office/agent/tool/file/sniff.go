package file

import (
	"bytes"
	"image"
	_ "image/gif"  // for the dimensions of an image
	_ "image/jpeg" // the same
	_ "image/png"  // the same
	"io"
	"io/fs"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"
)

// isText tells text from binary by the beginning of a file. Text in another
// encoding than UTF-8 is text as long as it has no NUL.
func isText(head []byte) bool {
	if bytes.IndexByte(head, 0) >= 0 || bytes.HasPrefix(head, []byte("%PDF-")) {
		return false
	}
	return utf8.Valid(wholeRunes(head)) || strings.HasPrefix(http.DetectContentType(head), "text/")
}

// wholeRunes drops a character at the end that was cut in two.
func wholeRunes(b []byte) []byte {
	for i := 1; i < utf8.UTFMax && i <= len(b); i++ {
		if tail := b[len(b)-i:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) {
				return b[:len(b)-i]
			}
			break
		}
	}
	return b
}

// describeBinary says what a file is that cannot be shown as text.
func describeBinary(f io.ReaderAt, p string, info fs.FileInfo, head []byte) string {
	size := counted(info.Size(), "byte")
	if bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")) {
		return p + " is UTF-16 text of " + size + ", which read does not show; convert it to UTF-8 first"
	}
	media, _, _ := strings.Cut(http.DetectContentType(head), ";")
	if !strings.HasPrefix(media, "image/") {
		return p + " is a binary file (" + media + ", " + size + "), so it is not shown as text"
	}
	shape := ""
	config, _, err := image.DecodeConfig(io.NewSectionReader(f, 0, maxImage))
	if err == nil {
		shape = ", " + strconv.Itoa(config.Width) + " x " + strconv.Itoa(config.Height) + " pixels"
	}
	return p + " is an image (" + media + shape + ", " + size + "), which read cannot show; nothing of it was looked at"
}
