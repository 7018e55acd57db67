package config

import (
	"fmt"
	"regexp"
	"strings"

	"bullpen/office/wake"
)

// checker holds what is found while one file is read.
type checker struct {
	env      func(string) (string, bool)
	problems Problems
	told     map[Problem]bool
	// secrets are the variables that a secret is taken from, with its path.
	secrets map[string]string
}

// problem notes what stops the file from being used.
func (c *checker) problem(at place, path, what, mend string) {
	c.tell(Problem{Path: path, What: what, Mend: mend}, at)
}

// notice notes what does not stop it.
func (c *checker) notice(at place, path, what, mend string) {
	c.tell(Problem{Path: path, What: what, Mend: mend, Notice: true}, at)
}

// wrong notes a problem of a node, which is then not used.
func (c *checker) wrong(n *node, what, mend string) {
	n.bad = true
	c.problem(n.at, n.path, what, mend)
}

// tell notes a problem once: what an alias repeats is the same mistake.
func (c *checker) tell(p Problem, at place) {
	p.File, p.Line, p.Column = FileName, at.line, at.column
	key := p
	key.Path = ""
	if c.told[key] {
		return
	}
	if c.told == nil {
		c.told = make(map[Problem]bool)
	}
	c.told[key] = true
	c.problems = append(c.problems, p)
}

// check compares a node with what the table says of it, and all that is in it.
func (c *checker) check(n *node, f *field) {
	if n.bad || n.kind == null {
		return
	}
	switch f.is {
	case anything:
		c.refuseLiterals(n, f.key == "secrets")
	case aBlock:
		if c.mustBe(n, block, "write its keys below it, indented") {
			c.checkBlock(n, f)
		}
	case aMap:
		if c.mustBe(n, block, "write a name and a colon before each") {
			for _, e := range n.entries {
				c.check(e.value, f.each)
			}
		}
	case aList:
		if c.mustBe(n, list, "put it in brackets: ["+c.shown(n)+"]") {
			for _, item := range n.items {
				c.check(item, f.each)
			}
		}
	default:
		if c.mustBe(n, scalar, "write one value after the colon") && c.expand(n, f) {
			scalarChecks[f.is](c, n, f)
		}
	}
}

// mustBe checks the kind of a node.
func (c *checker) mustBe(n *node, k kind, mend string) bool {
	if n.kind == k {
		return true
	}
	if n.kind != scalar && k == list {
		mend = "write [one, two]"
	}
	c.wrong(n, "this must be "+k.a()+", not "+n.kind.a(), mend)
	return false
}

// checkBlock checks the keys of a block and their values.
func (c *checker) checkBlock(n *node, f *field) {
	for _, e := range n.entries {
		known := fieldOf(f.fields, e.key)
		if known == nil {
			e.value.bad = true
			c.problem(e.at, e.value.path, "there is no such key here", c.otherKey(f.fields, e.key))
			continue
		}
		if known.ignored != "" && e.value.kind != null {
			c.notice(e.at, e.value.path, ignoredSentence(known), "")
		}
		c.check(e.value, known)
		if known.ignored != "" {
			e.value.bad = true
		}
	}
}

func ignoredSentence(f *field) string {
	if f.ignored == notBuilt {
		return f.key + " " + notBuilt
	}
	return f.ignored
}

// otherKey advises what to write for an unknown key.
func (c *checker) otherKey(fields []field, key string) string {
	var all, useful []string
	for _, f := range fields {
		all = append(all, f.key)
		if f.ignored == "" && f.alias == "" {
			useful = append(useful, f.key)
		}
	}
	if near := wake.Nearest(key, all); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return "the keys here are " + strings.Join(useful, ", ")
}

var reference = regexp.MustCompile(`^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$`)

// expand puts the value of a variable in the place of ${VAR}, where that is the
// whole of the text. It reports whether there is a text to look at.
func (c *checker) expand(n *node, f *field) bool {
	secret := f.is == aSecret || f.is == appToken || f.is == botToken || f.is == telegramToken || f.is == discordToken
	m := reference.FindStringSubmatch(n.text)
	switch {
	case m == nil && secret:
		c.refuseLiteral(n)
		return false
	case m == nil:
		return true
	case f.ignored != "":
		return false
	}
	if secret {
		c.secret(m[1], n.path)
	}
	value, ok := c.env(m[1])
	value = strings.TrimSpace(value)
	switch {
	case !ok:
		c.wrong(n, n.text+" is not set", "put "+m[1]+"=… into the file .env beside this one, or into the environment")
	case value == "":
		c.wrong(n, n.text+" is empty", "give "+m[1]+" a value in the file .env beside this one, or in the environment")
	}
	n.text, n.variable = value, m[1]
	return !n.bad
}

// secret remembers what a variable is for.
func (c *checker) secret(variable, path string) {
	if c.secrets == nil {
		c.secrets = map[string]string{}
	}
	c.secrets[variable] = path
}

// refuseLiteral refuses a secret that stands in the file, without showing it.
func (c *checker) refuseLiteral(n *node) {
	name := variableFor(n.path)
	c.wrong(n, "a secret may not stand in this file (what is here is not shown)",
		fmt.Sprintf("put %s=… into the file .env beside this one and write \"${%s}\" here", name, name))
}

// variableFor suggests a variable for the secret at a path:
// adapters.slack.bot_token is SLACK_BOT_TOKEN.
func variableFor(path string) string {
	keys := strings.Split(path, ".")
	last := keys[len(keys)-1]
	if last == strings.ToUpper(last) || len(keys) < 2 {
		return notVariable.ReplaceAllString(strings.ToUpper(last), "_")
	}
	return notVariable.ReplaceAllString(strings.ToUpper(keys[len(keys)-2]+"_"+last), "_")
}

var (
	notVariable = regexp.MustCompile(`[^A-Z0-9_]`)
	secretKey   = regexp.MustCompile(`(?i)((token|api_key|password|secret)$|^secrets$)`)
	// passwordURL is an address with a password in it, redis://:word@host.
	passwordURL = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*://[^/@\s]*:[^/@\s]+@`)
)

// refuseLiterals looks for secrets in what is otherwise ignored: it stands in
// the file all the same.
func (c *checker) refuseLiterals(n *node, secret bool) {
	for _, e := range n.entries {
		c.refuseLiterals(e.value, secret || secretKey.MatchString(e.key))
	}
	for _, item := range n.items {
		c.refuseLiterals(item, secret)
	}
	if n.kind == scalar && (secret && !reference.MatchString(n.text) || passwordURL.MatchString(n.text)) {
		c.refuseLiteral(n)
	}
}
