package file

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"unicode/utf8"
)

// fault is an error whose text is a sentence for a model, without the words of
// the error underneath, which is kept for errors.Is.
type fault struct {
	text  string
	cause error
}

func (f *fault) Error() string { return f.text }
func (f *fault) Unwrap() error { return f.cause }

func faultf(format string, args ...any) error {
	return &fault{text: fmt.Sprintf(format, args...)}
}

// explain turns what the disk said about path into a sentence. doing is the
// participle of what was tried: "read", "written".
func explain(err error, path, doing string) error {
	var known *fault
	if errors.As(err, &known) {
		return err
	}
	say := func(format string, args ...any) error { return &fault{fmt.Sprintf(format, args...), err} }
	switch {
	case escapes(err):
		return say("%s leads out of the workspace through a link; name a file inside it", path)
	case errors.Is(err, fs.ErrNotExist):
		return say("there is no %s in the workspace; use ls or find to see what is there", path)
	case errors.Is(err, syscall.ENOTDIR):
		return say("%s goes through a file as if it were a folder; use ls to see what is there", path)
	case errors.Is(err, syscall.ELOOP):
		return say("%s goes through links that lead in a circle; name the file itself", path)
	case errors.Is(err, fs.ErrPermission):
		return say("%s may not be %s by this office (permission denied); change its mode or choose another file", path, doing)
	case errors.Is(err, syscall.ENAMETOOLONG):
		return say("%s has a name that is too long for the disk; choose one under 255 bytes", clip(path, 80))
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return say("%s could not be %s because the disk is full; remove what is not needed, or tell the owner", path, doing)
	case errors.Is(err, syscall.EROFS):
		return say("%s could not be %s because its disk is read-only; choose another place", path, doing)
	}
	return say("%s could not be %s (%v); try once more, then tell the owner", path, doing, bare(err))
}

// escapes tells whether os.Root refused a path because it leaves the root. The
// standard library does not export that error.
func escapes(err error) bool {
	var p *fs.PathError
	return errors.As(err, &p) && p.Err.Error() == "path escapes from parent"
}

// bare strips the operation and the path, which names the host's folders.
func bare(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// clip shortens s to about n bytes without cutting a character in two.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return strings.TrimRight(s[:n], " ") + "…"
}
