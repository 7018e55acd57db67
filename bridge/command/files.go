package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"bullpen/office"
)

const (
	// listedMost is how many entries of a folder are listed.
	listedMost = 100
	// shownMost is how much of a file is shown as text, in bytes.
	shownMost = 12 << 10
	// ownFiles begins the names of files that the office keeps in a workspace for itself.
	ownFiles = ".colleague"
)

var _ = add(Command{
	Root: AgentRoot, Name: "files", Right: Admins, Changes: true,
	Args: []Arg{
		{Name: "colleague", Kind: ColleagueKind, Required: true, Help: "Whose files."},
		{Name: "do", Kind: ChoiceKind, Choices: []Choice{{Value: "list"}, {Value: "get"}}, Help: "list a folder, or get a file; list without it."},
		{Name: "path", Kind: TextKind, Help: "Which folder or file of the workspace, like inbox/plan.pdf."},
	},
	Help: "List the files of a colleague's workspace, or get one of them.",
	More: "On Slack, Discord and Telegram the file comes as mail; in a terminal its text is shown.",
	Run: func(ctx context.Context, c Call) (Answer, error) {
		if c.Premises.Workspace == nil || c.Premises.OpenFile == nil {
			return Answer{}, errors.New("the colleagues' files are not within reach of this process")
		}
		name := path.Clean(strings.TrimPrefix(strings.TrimSpace(c.Text("path")), "/"))
		if !fs.ValidPath(name) {
			return Answer{}, &Usage{"a path stays within the workspace, like inbox/plan.pdf"}
		}
		who := c.Colleague("colleague").Colleague
		root, err := c.Premises.Workspace(&who)
		if err != nil {
			return Answer{}, err
		}
		defer root.Close() //nolint:errcheck // only read
		if c.Choice("do") != "get" {
			return listFiles(root, name)
		}
		if name == "." {
			return Answer{}, &Usage{"name the file: " + c.cmd.Usage(c.prefix(c.cmd))}
		}
		return c.getFile(ctx, root, name)
	},
})

// listFiles lists a folder.
func listFiles(root *os.Root, name string) (Answer, error) {
	dir, err := root.Open(name)
	if err != nil {
		return Answer{}, fileFault(name, err)
	}
	defer dir.Close() //nolint:errcheck // only read
	entries, err := dir.ReadDir(listedMost + 1)
	if err != nil && !errors.Is(err, io.EOF) {
		return Answer{}, fmt.Errorf("%s is no folder that can be listed; get shows a file", clip(name))
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	t := &Table{Head: []string{"name", "bytes"}}
	var lines []string
	for i, e := range entries {
		switch {
		case strings.HasPrefix(e.Name(), ownFiles):
			continue
		case i == listedMost:
			lines = append(lines, "and more; name a folder of it to see less at once")
			continue
		}
		shown, size := path.Join(name, e.Name()), ""
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			size = office.Grouped(info.Size())
		}
		if e.IsDir() {
			shown += "/"
		}
		t.Rows = append(t.Rows, []string{shown, size})
		line := "- " + shown
		if size != "" {
			line += ": " + size + " bytes"
		}
		lines = append(lines, line)
	}
	if len(lines) == 0 {
		return Answer{Text: "There is nothing in it.", Data: [][]string{}}, nil
	}
	return Answer{Text: strings.Join(lines, "\n"), Table: t, Data: t.Rows}, nil
}

// getFile gives a file to who asks: as mail, or as text in a terminal.
func (c Call) getFile(ctx context.Context, root *os.Root, name string) (Answer, error) {
	if info, err := root.Stat(name); err != nil {
		return Answer{}, fileFault(name, err)
	} else if info.IsDir() {
		return listFiles(root, name)
	}
	f, info, err := c.Premises.OpenFile(root, name)
	if err != nil {
		return Answer{}, err
	}
	defer f.Close() //nolint:errcheck // only read
	if info.Size() == 0 {
		return Answer{Text: name + " is empty."}, nil
	}
	head, err := io.ReadAll(io.LimitReader(f, shownMost+1))
	if err != nil {
		return Answer{}, fmt.Errorf("%s cannot be read: %w", clip(name), err)
	}
	if c.From == Console || c.From == Shell {
		return fileText(name, head, info.Size())
	}
	kind, _, _ := strings.Cut(http.DetectContentType(head[:min(len(head), 512)]), ";")
	kept, err := c.Office.KeepFile(ctx, path.Base(name), kind, io.MultiReader(bytes.NewReader(head), f))
	if err != nil {
		return Answer{}, err
	}
	rec, reached, err := c.Office.HandFile(ctx, c.Person.ID, c.Colleague("colleague").ID, kept, c.from())
	switch {
	case err != nil:
		return Answer{}, err
	case !reached:
		return Answer{Text: fmt.Sprintf("%s waits in your mailbox as %s; write to the office directly once, so that it can be sent to you.", name, rec.Anchor)}, nil
	}
	return Answer{Text: name + " is sent to you directly."}, nil
}

// fileText shows the beginning of a file that is a text.
func fileText(name string, head []byte, size int64) (Answer, error) {
	more := ""
	if len(head) > shownMost {
		head = head[:shownMost]
		for n := 0; n < utf8.UTFMax && !utf8.Valid(head); n++ {
			head = head[:len(head)-1]
		}
		more = fmt.Sprintf("\n… (these are %s of %s bytes)", office.Grouped(int64(len(head))), office.Grouped(size))
	}
	if !utf8.Valid(head) || bytes.IndexByte(head, 0) >= 0 {
		return Answer{}, fmt.Errorf("%s is no text and has %s bytes; it lies in the workspace", clip(name), office.Grouped(size))
	}
	return Answer{Text: string(head) + more, Data: map[string]any{"path": name, "size": size, "text": string(head)}}, nil
}

// fileFault says why a file cannot be had, without a path of the machine's.
func fileFault(name string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return &Usage{"there is no " + clip(name) + " in the workspace"}
	}
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return fmt.Errorf("%s cannot be had: %w", clip(name), err)
}
