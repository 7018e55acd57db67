package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Problem is one thing that is wrong, or worth knowing, in a file of the office.
// No field ever holds the value of a secret.
type Problem struct {
	File         string // the file's name in the folder: office.yaml or .env
	Line, Column int    // both from 1; the column counts characters
	Path         string // the key it is about, agents.coder.model; empty for the file itself
	What         string // what is wrong, in one sentence without its full stop
	Mend         string // what to do about it; may be empty
	Notice       bool   // the file loads all the same
}

// String is the problem on one line:
//
//	office.yaml:12:5: agents.coder.reports_to: no colleague is called "laed"; did you mean "lead"?
func (p Problem) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%d:%d: ", p.File, p.Line, p.Column)
	if p.Path != "" {
		b.WriteString(p.Path + ": ")
	}
	b.WriteString(p.What)
	if p.Mend != "" {
		b.WriteString("; " + p.Mend)
	}
	return b.String()
}

// Problems is every problem that was found, .env first, then office.yaml in the
// order of its lines. As the error of [Load] it holds the notices too, and at
// least one problem that is none.
type Problems []Problem

// maxLines bounds the text of an error.
const maxLines = 100

// Error lists the problems that stop the office, one a line. After the first
// hundred it counts them.
func (ps Problems) Error() string {
	var lines []string
	more := 0
	for _, p := range ps {
		switch {
		case p.Notice:
		case len(lines) == maxLines:
			more++
		default:
			lines = append(lines, p.String())
		}
	}
	if more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(lines, "\n")
}

// fatal reports whether anything is wrong, rather than worth knowing.
func (ps Problems) fatal() bool {
	return slices.ContainsFunc(ps, func(p Problem) bool { return !p.Notice })
}

// sort brings the problems in the order in which a reader meets their places.
func (ps Problems) sort() {
	slices.SortStableFunc(ps, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}
