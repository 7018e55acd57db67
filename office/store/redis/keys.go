package redis

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"bullpen/office"
)

// The kinds of structure, in the words of Redis's TYPE.
const (
	hash   = "hash"
	zset   = "zset"
	set    = "set"
	list   = "list"
	stream = "stream"
)

// key is one key of an office, and what Redis keeps there.
type key struct{ name, kind string }

// keys makes the keys of one office; it is what they all begin with.
type keys string

// longestOffice is the longest id of an office, in bytes.
const longestOffice = 200

// keysOf refuses an id that would not be one hash tag.
func keysOf(id string) (keys, error) {
	switch {
	case id == "":
		return "", errors.New("an office in Redis needs an id: give it one")
	case len(id) > longestOffice:
		return "", fmt.Errorf("the office's id is %d bytes long: make it %d at most", len(id), longestOffice)
	}
	if i := strings.IndexFunc(id, func(r rune) bool { return r <= ' ' || r == '{' || r == '}' || r == 0x7f }); i >= 0 {
		return "", fmt.Errorf("the office's id %q cannot be part of a key in Redis: leave out spaces, braces and control characters", id)
	}
	return keys("bullpen:{" + id + "}:"), nil
}

func (k keys) head() string  { return string(k) + "head" }
func (k keys) lease() string { return string(k) + "lease" }

func (k keys) headKey() key { return key{k.head(), hash} }

// hash is one of those whose names have no variable part.
func (k keys) hash(name string) key { return key{string(k) + name, hash} }

func (k keys) stream(name string) key { return key{string(k) + name, stream} }

// held is where an item can be seen: in its colleague's queue, or with its turn.
func (k keys) held(it *office.Item) key {
	if it.Turn != 0 {
		return key{string(k) + "turn:" + strconv.FormatInt(it.Turn, 10) + ":items", zset}
	}
	return key{string(k) + "queue:" + part(string(it.To)), zset}
}

func (k keys) log() key { return key{string(k) + "log", zset} }

func (k keys) channel(ch office.ChannelID) key {
	return key{string(k) + "channel:" + part(string(ch)), zset}
}

func (k keys) thread(ch office.ChannelID, root int64) key {
	return key{string(k) + "thread:" + part(string(ch)) + ":" + strconv.FormatInt(root, 10), zset}
}

func (k keys) transcript(in office.ContextID) key {
	name := string(k) + "transcript:" + part(string(in.Colleague))
	if in.Person != "" {
		name += ":" + part(string(in.Person))
	}
	return key{name, zset}
}

func (k keys) places(a office.Anchor) key {
	return key{string(k) + "places:" + part(string(a.Channel)) + "-" + strconv.FormatInt(a.Seq, 10), set}
}

func (k keys) revisions(portal office.PortalID, native string) key {
	return key{string(k) + "revisions:" + part(string(portal)) + ":" + part(native), list}
}

// early are the changes that came before their message; field is the message's
// nativeField.
func (k keys) early(field string) key {
	return key{string(k) + "early:" + strings.Replace(field, " ", ":", 1), list}
}

// nativeField is the field of natives: the portal holds no space then.
func nativeField(portal office.PortalID, id string) string { return part(string(portal)) + " " + id }

// special are the signs that mean something in a key, to us or to redis-cli.
const special = `%:{}[]*?"'\`

// part is s as a part of a key: no two are alike, and most look as they are.
func part(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c == 0x7f || strings.IndexByte(special, c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}
