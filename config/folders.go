package config

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"bullpen/office/workspace"
)

// writtenFolder is a folder that somebody works in, and where it is written.
type writtenFolder struct {
	at          place
	path, shown string
	folder      string
}

// folder takes the path of a folder as it is written.
func (c *checker) folder(n *node, f *field) {
	n.text = strings.TrimSpace(n.text)
	if i := strings.IndexFunc(n.text, func(r rune) bool { return unicode.IsControl(r) || turnsText(r) }); i >= 0 {
		c.wrong(n, "the path holds an invisible character", "remove it")
		return
	}
	c.length(n, f)
}

// workFolder remembers where a colleague is to work, to be looked at by
// [source.missingFolders]: reading the text touches nothing else of the machine.
func (r *reader) workFolder(n *node) {
	switch {
	case n == nil:
	case n.variable != "" && r.secrets[n.variable] != "":
		r.wrong(n, fmt.Sprintf("${%s} is the secret of %s, and no folder", n.variable, r.secrets[n.variable]), "leave it out")
	default:
		r.cfg.folders = append(r.cfg.folders, writtenFolder{n.at, n.path, r.shown(n), n.text})
	}
}

// missingFolders are the problems of the folders that a configuration names.
func (s *source) missingFolders(cfg *Config) Problems {
	if cfg == nil {
		return nil
	}
	var found Problems
	office := workspace.At(s.dir)
	for _, w := range cfg.folders {
		_, err := office.Resolve(w.folder)
		if err == nil {
			continue
		}
		p := Problem{File: FileName, Line: w.at.line, Column: w.at.column, Path: w.path, What: w.shown + " " + err.Error()}
		if refusal := (*workspace.Refusal)(nil); errors.As(err, &refusal) {
			p.What, p.Mend = w.shown+" "+refusal.Why, refusal.Mend
		}
		found = append(found, p)
	}
	return found
}
