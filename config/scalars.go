package config

import (
	"cmp"
	"fmt"
	"math"
	"net"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // an office's time zone does not depend on the machine's files
	"unicode"
	"unicode/utf8"

	"bullpen/office"
	"bullpen/office/wake"
)

// scalarChecks has a function for each kind of single value. It notes what is
// wrong and puts what was read into the node.
var scalarChecks = map[is]func(*checker, *node, *field){
	aLine:          (*checker).line,
	aText:          (*checker).length,
	aCount:         (*checker).count,
	aPrice:         (*checker).price,
	aMoney:         (*checker).money,
	aFlag:          (*checker).flag,
	aDuration:      (*checker).duration,
	aChoice:        (*checker).choice,
	aZone:          (*checker).zone,
	aFolder:        (*checker).folder,
	slackMember:    (*checker).slackMember,
	slackChannel:   (*checker).slackChannel,
	appToken:       (*checker).slackToken,
	botToken:       (*checker).slackToken,
	telegramUser:   (*checker).telegramUser,
	telegramChat:   (*checker).telegramChat,
	telegramToken:  (*checker).telegramToken,
	discordID:      (*checker).discordID,
	discordChannel: (*checker).discordChannel,
	discordToken:   (*checker).discordToken,
	aSecret:        func(*checker, *node, *field) {},
	anAddress:      (*checker).address,
	safeAddress:    (*checker).safeAddress,
}

// line makes one line of the text: what breaks it is a space. Characters that
// hide text or turn it round are refused, since the text is shown to models and
// people as a name or a description.
func (c *checker) line(n *node, f *field) {
	n.text = strings.Join(strings.Fields(n.text), " ")
	for _, r := range n.text {
		if unicode.IsControl(r) || turnsText(r) {
			c.wrong(n, fmt.Sprintf("the text holds the invisible character U+%04X", r), "remove it")
			return
		}
	}
	c.length(n, f)
}

// turnsText reports whether r changes the direction of the text around it.
func turnsText(r rune) bool { return '\u202a' <= r && r <= '\u202e' || '\u2066' <= r && r <= '\u2069' }

func (c *checker) length(n *node, f *field) {
	if f.max > 0 && utf8.RuneCountInString(n.text) > f.max {
		c.wrong(n, fmt.Sprintf("the text is longer than %d characters", f.max), "shorten it")
	}
}

var (
	wholeNumber   = regexp.MustCompile(`^[0-9]+(_[0-9]+)*$`)
	decimalNumber = regexp.MustCompile(`^[0-9]+(\.[0-9]+)?$`)
)

// count reads a whole number from 1, with _ between digits if somebody likes.
func (c *checker) count(n *node, f *field) {
	switch {
	case strings.HasPrefix(n.text, "-"):
		c.wrong(n, c.shown(n)+" is negative", "write a whole number from 1")
		return
	case !wholeNumber.MatchString(n.text):
		c.wrong(n, c.shown(n)+" is not a whole number", "write digits only")
		return
	case len(n.text) > 1 && n.text[0] == '0':
		c.wrong(n, c.shown(n)+" begins with 0, which YAML may read as another number", "leave the 0 out")
		return
	}
	v, err := strconv.ParseInt(strings.ReplaceAll(n.text, "_", ""), 10, 64)
	switch {
	case err != nil || v > int64(cmp.Or(f.max, math.MaxInt32)):
		c.wrong(n, c.shown(n)+" is too large", "write a smaller number")
	case v == 0:
		c.wrong(n, "0 would let nothing happen", "write a whole number from 1, or leave the key out for the default")
	}
	n.whole = v
}

// price reads US dollars per million tokens: what one token costs then.
func (c *checker) price(n *node, _ *field) {
	const million = 1_000_000
	m, err := office.ParseMoney(n.text)
	switch {
	case err != nil || !decimalNumber.MatchString(n.text):
		c.wrong(n, c.shown(n)+" is not a price", "write US dollars per million tokens, like 1.25")
	case m%million != 0:
		c.wrong(n, c.shown(n)+" has more than six decimals", "write US dollars per million tokens, like 1.25")
	}
	n.whole = int64(m / million)
}

// money reads an amount of US dollars.
func (c *checker) money(n *node, _ *field) {
	m, err := office.ParseMoney(n.text)
	switch {
	case err != nil:
		c.wrong(n, c.shown(n)+" is not an amount of money", "write US dollars below a million, like 20 USD")
	case m == 0:
		c.wrong(n, "0 would let nothing happen", "write an amount above 0, like 20 USD, or leave the key out for the default")
	}
	n.whole = int64(m)
}

func (c *checker) flag(n *node, _ *field) {
	switch n.text {
	case "true":
		n.whole = 1
	case "false":
	default:
		c.wrong(n, c.shown(n)+" is neither true nor false", "write true or false")
	}
}

func (c *checker) duration(n *node, _ *field) {
	d, err := time.ParseDuration(n.text)
	switch {
	case err != nil:
		c.wrong(n, c.shown(n)+" is not a duration", "write a number and its unit, like 30s, 10m or 1h30m")
	case d < 0:
		c.wrong(n, c.shown(n)+" is negative", "write a duration above zero, like 30s")
	case d == 0:
		c.wrong(n, c.shown(n)+" leaves no time", "write a duration above zero, like 30s")
	}
	n.whole = int64(d)
}

// choice reads one of a few words. One that has no meaning yet is ignored with a
// notice.
func (c *checker) choice(n *node, f *field) {
	for _, word := range f.choices {
		if n.text == word {
			return
		}
	}
	for _, word := range f.later {
		if n.text == word {
			n.bad = true
			c.notice(n.at, n.path, word+" "+notBuilt, "")
			return
		}
	}
	mend := "write " + either(f.choices)
	if near := wake.Nearest(n.text, f.choices); near != "" && n.variable == "" {
		mend = fmt.Sprintf("did you mean %q?", near)
	}
	c.wrong(n, c.shown(n)+" is not a choice here", mend)
}

// either lists words: a, b or c.
func either(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

func (c *checker) zone(n *node, _ *field) {
	if _, err := time.LoadLocation(n.text); err != nil || n.text == "" || n.text == "Local" {
		c.wrong(n, c.shown(n)+" is not a time zone", "write an IANA name, like Europe/Berlin, or UTC")
	}
}

var (
	memberForm      = regexp.MustCompile(`^[UW][A-Z0-9]{2,20}$`)
	channelForm     = regexp.MustCompile(`^[CG][A-Z0-9]{2,20}$`)
	channelNameForm = regexp.MustCompile(`^#[\p{L}\p{M}\p{N}_-]+$`) // its length is looked at apart: a bound makes the program large
)

// slackNameLimit is how long a channel's name may be, in characters.
// Source: https://docs.slack.dev/reference/methods/conversations.create
const slackNameLimit = 80

func (c *checker) slackMember(n *node, _ *field) {
	if !memberForm.MatchString(n.text) {
		c.wrong(n, c.shown(n)+" is not a Slack member id", "write one like U012ABC: in Slack, open the profile, then ⋮, Copy member ID")
	}
}

func (c *checker) slackChannel(n *node, _ *field) {
	named := channelNameForm.MatchString(n.text) && utf8.RuneCountInString(n.text) <= slackNameLimit+1
	if !channelForm.MatchString(n.text) && !named {
		c.wrong(n, c.shown(n)+" is not a Slack channel", `write its id, like C012ABC, or its name in quotes, like "#dev"`)
	}
}

// tokenKinds are what Slack's tokens begin with.
var tokenKinds = []struct{ prefix, name string }{
	{"xapp-", "an app token (xapp-…)"},
	{"xoxb-", "a bot token (xoxb-…)"},
	{"xoxp-", "a user token (xoxp-…)"},
	{"xoxe.xoxb-", "a bot token that rotates (xoxe.xoxb-…)"},
	{"xoxe", "a token that rotates (xoxe…)"},
	{"xoxa-", "a legacy token (xoxa-…)"},
}

// slackToken tells the wrong kind of token by its first letters.
func (c *checker) slackToken(n *node, f *field) {
	want := tokenKinds[0]
	from := "Basic Information, App-Level Tokens, with the scope connections:write"
	if f.is == botToken {
		want, from = tokenKinds[1], "OAuth & Permissions, Bot User OAuth Token"
	}
	if strings.HasPrefix(n.text, want.prefix) {
		return
	}
	found := "no Slack token"
	for _, k := range tokenKinds {
		if strings.HasPrefix(n.text, k.prefix) {
			found = k.name
			break
		}
	}
	c.wrong(n, fmt.Sprintf("${%s} is %s, and this must be %s", n.variable, found, want.name), "take it from the app's page: "+from)
}

// address reads the address of an API.
func (c *checker) address(n *node, _ *field) {
	u, err := url.Parse(n.text)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http":
		c.wrong(n, c.shown(n)+" is not the address of an API", "write one like https://api.example.com/v1")
	case u.User != nil:
		c.wrong(n, "the address holds a user name or password (not shown)", "leave it out of the address")
	case u.RawQuery != "" || u.Fragment != "":
		c.wrong(n, "the address has a query or a fragment", "end it with the path")
	}
}

// safeAddress is an address that gets tokens in any case.
func (c *checker) safeAddress(n *node, f *field) {
	if c.address(n, f); !n.bad {
		c.mustEncrypt(n)
	}
}

// mustEncrypt refuses http to another machine, for an address that gets a secret.
func (c *checker) mustEncrypt(n *node) {
	if u, err := url.Parse(n.text); err == nil && u.Scheme == "http" && !loopback(u.Hostname()) {
		c.wrong(n, c.shown(n)+" would carry a secret unencrypted", "write https, or a loopback address")
	}
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
