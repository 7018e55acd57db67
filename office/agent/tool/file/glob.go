package file

import (
	"regexp"
	"strings"
)

// glob matches paths against a pattern: * and ? within one part of the path,
// ** across parts, [a-z] and [!a-z], {a,b}. A pattern without a slash matches
// the last part of a path.
type glob struct {
	re   *regexp.Regexp
	base bool
}

// compileGlob checks and compiles a pattern. A regular expression does the
// matching, so that no pattern can take exponential time.
func compileGlob(name, pattern string) (glob, error) {
	switch {
	case pattern == "":
		return glob{}, faultf("%s is empty; write a glob such as **/*.go", name)
	case len(pattern) > maxPattern:
		return glob{}, faultf("%s is %s long; the longest is %s", name, counted(len(pattern), "byte"), count(maxPattern))
	}
	pattern = strings.TrimPrefix(pattern, "./")
	g := globber{in: pattern}
	re, err := regexp.Compile(`\A(?s:` + g.translate() + `)\z`)
	if err == nil && g.braces > 0 {
		return glob{}, faultf("%s %q has a { without its }; close it or write \\{", name, pattern)
	}
	if err != nil {
		return glob{}, &fault{name + " \"" + pattern + "\" is not a glob that can be read; check its [ ] and { }", err}
	}
	return glob{re: re, base: !strings.Contains(pattern, "/")}, nil
}

// match tells whether the pattern matches p, which is relative to where the
// search began.
func (g glob) match(p string) bool {
	if g.base {
		p = p[strings.LastIndexByte(p, '/')+1:]
	}
	return g.re.MatchString(p)
}

// globber translates a glob into a regular expression.
type globber struct {
	in     string
	out    strings.Builder
	braces int
}

func (g *globber) translate() string {
	for g.in != "" {
		g.step()
	}
	for range g.braces { // keeps the expression whole for the error that names the brace
		g.out.WriteByte(')')
	}
	return g.out.String()
}

func (g *globber) step() {
	if token, re := g.special(); token > 0 {
		g.out.WriteString(re)
		g.in = g.in[token:]
		return
	}
	if g.in[0] == '[' {
		if n, class := bracket(g.in); n > 0 {
			g.out.WriteString(class)
			g.in = g.in[n:]
			return
		}
	}
	if g.in[0] == '\\' && len(g.in) > 1 {
		g.in = g.in[1:]
	}
	// Byte by byte is right for UTF-8 too, as only ASCII is ever special.
	n := 1
	for n < len(g.in) && !strings.ContainsRune(`*?[{},\`, rune(g.in[n])) {
		n++
	}
	g.out.WriteString(regexp.QuoteMeta(g.in[:n]))
	g.in = g.in[n:]
}

// special returns the length of a special token at the start and its
// translation.
func (g *globber) special() (int, string) {
	switch {
	case strings.HasPrefix(g.in, "**/"):
		return 3, `(?:.*/)?`
	case strings.HasPrefix(g.in, "**"):
		return 2, `.*`
	case g.in[0] == '*':
		return 1, `[^/]*`
	case g.in[0] == '?':
		return 1, `[^/]`
	case g.in[0] == '{':
		g.braces++
		return 1, `(?:`
	case g.in[0] == '}' && g.braces > 0:
		g.braces--
		return 1, `)`
	case g.in[0] == ',' && g.braces > 0:
		return 1, `|`
	}
	return 0, ""
}

// bracket translates a class such as [a-z] or [!a-z] at the start of s, and
// returns its length, or 0 if it is not closed.
func bracket(s string) (int, string) {
	body := s[1:]
	negate := strings.HasPrefix(body, "!") || strings.HasPrefix(body, "^")
	if negate {
		body = body[1:]
	}
	if body == "" {
		return 0, ""
	}
	end := strings.IndexByte(body[1:], ']') + 1
	if end == 0 {
		return 0, ""
	}
	class := strings.NewReplacer(`\`, `\\`, `[`, `\[`, `]`, `\]`, `^`, `\^`).Replace(body[:end])
	length := len(s) - len(body) + end + 1
	if negate {
		return length, "[^/" + class + "]"
	}
	return length, "[" + class + "]"
}
