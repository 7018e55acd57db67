package discord

import (
	"io/fs"
	"os"
	"strings"
	"testing"

	"bullpen/bridge/command"
	"bullpen/office"
)

// What is rarely needed stands in a group, as the help says, and a file of a
// workspace comes as one.
func TestTheGroupOfRareCommandsAndAFileOfAWorkspace(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		w.Idle()
		dir := w.Dir
		if err := os.WriteFile(dir+"/plan.md", []byte("Ship it."), 0o600); err != nil {
			w.Fatal(err)
		}
		w.Bridge.Furnish(command.Premises{
			Workspace: func(*office.Colleague) (*os.Root, error) { return os.OpenRoot(dir) },
			OpenFile: func(root *os.Root, name string) (*os.File, fs.FileInfo, error) {
				f, err := root.Open(name)
				if err != nil {
					return nil, nil, err
				}
				info, err := f.Stat()
				return f, info, err
			},
		})
		if got := w.slash("maria", dev, "office admin logs", nil); !strings.Contains(got, "Nobody has had the office do anything yet") {
			t.Errorf("%q", got)
		}
		if got := w.slash("kim", dev, "office admin logs", nil); !strings.Contains(got, "/office admin logs is for the owner and the admins") {
			t.Errorf("%q", got)
		}
		got := w.slash("maria", dev, "agent files", map[string]any{"colleague": "bob", "do": "get", "path": "plan.md"})
		if !strings.Contains(got, "sent to you directly") {
			t.Errorf("%q", got)
		}
		w.Until("the file is there", func() bool {
			said, file := false, false
			for _, e := range w.entries("@maria") {
				said = said || strings.Contains(e.Text, "of bob's files")
				file = file || strings.Contains(strings.Join(e.Files, " "), "plan.md")
			}
			return said && file
		})
		if got := w.slash("kim", dev, "agent files", map[string]any{"colleague": "bob"}); !strings.Contains(got, "owner and the admins") {
			t.Errorf("%q", got)
		}
	})
}
