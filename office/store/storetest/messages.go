package storetest

import (
	"fmt"
	"testing"
	"time"

	"bullpen/office"
)

// history is two channels of messages that were taken in by turns.
func history() []office.Message {
	said := []struct {
		ch     office.ChannelID
		root   int64
		author string
		text   string
	}{
		{"general", 0, "ann", "Good morning"},
		{"dev", 0, "ben", "The BUILD is red"},
		{"general", 1, "ben", "morning, Ann"},
		{"dev", 1, "ann", "which build?"},
		{"dev", 0, "c1", "100% done_with it"},
		{"dev", 1, "c1", "build 7 ÄRGER"},
		{"general", 0, "c1", "ΟΔΟΣ"},
		{"dev", 3, "ann", "thanks"},
		{"dm-c1-ann", 0, "ann", "build\x00it \xff"},
		{"dev", 0, "", "an office notice"},
	}
	last := map[office.ChannelID]int64{}
	var all []office.Message
	for i, s := range said {
		last[s.ch]++
		m := message(s.ch, last[s.ch], int64(10*i+10))
		m.Root, m.Author.ID, m.Text = s.root, s.author, s.text
		all = append(all, *m)
	}
	return all
}

func queries() map[string]office.MessageQuery {
	type chs = []office.ChannelID
	return map[string]office.MessageQuery{
		"everything":                   {},
		"one channel":                  {Channels: chs{"dev"}},
		"two channels":                 {Channels: chs{"general", "dev"}},
		"a channel named twice":        {Channels: chs{"dev", "dev"}},
		"an empty channel":             {Channels: chs{"ops"}},
		"an empty channel and another": {Channels: chs{"ops", "general"}},
		"a range":                      {Channels: chs{"dev"}, From: 2, To: 4},
		"from":                         {Channels: chs{"dev"}, From: 5},
		"to":                           {Channels: chs{"dev"}, To: 1},
		"a range of nothing":           {Channels: chs{"dev"}, From: 4, To: 2},
		"one message":                  {Channels: chs{"dev"}, From: 3, To: 3},
		"a range in every channel":     {From: 1, To: 1},
		"after":                        {After: 40},
		"after in a channel":           {Channels: chs{"general"}, After: 30},
		"after all of it":              {After: 1000},
		"a thread":                     {Channels: chs{"dev"}, Root: 1},
		"since":                        {Since: now.Add(33 * time.Millisecond)},
		"between two":                  {Channels: chs{"dev"}, Since: now.Add(20*time.Millisecond + 1), Until: now.Add(35 * time.Millisecond)},
		"what woke one":                {Woke: "c1"},
		"what woke nobody":             {Woke: "nobody"},
		"a thread of nobody":           {Channels: chs{"dev"}, Root: 5},
		"threads of two channels":      {Channels: chs{"dev", "general"}, Root: 1},
		"threads everywhere":           {Root: 1},
		"an author":                    {Author: "ann"},
		"an author in a channel":       {Channels: chs{"dev"}, Author: "c1"},
		"an author who said nothing":   {Author: "zoe"},
		"a word":                       {Contains: "build"},
		"a word in another case":       {Contains: "BuIlD"},
		"a word with accents":          {Contains: "ärger"},
		"a word of other letters":      {Contains: "οδος"},
		"the signs of SQL patterns":    {Contains: "0% done_w"},
		"a sign that is no pattern":    {Contains: "%"},
		"a zero byte":                  {Contains: "d\x00I"},
		"a word said by nobody":        {Channels: chs{"dev"}, Contains: "moon"},
		"a word in a thread":           {Channels: chs{"dev"}, Root: 1, Contains: "build"},
		"all of it together":           {Channels: chs{"dev", "general"}, From: 1, To: 5, After: 20, Root: 1, Author: "c1", Contains: "build"},
	}
}

func testMessages(t *testing.T, open Open) {
	o := own(t, open)
	m := newModel()
	wantPages(o, m, "before there is any message")
	for _, msg := range history() {
		c := office.PutMessage{Message: &msg}
		o.commit(c)
		m.apply([]office.Change{c})
	}
	wantPages(o, m, "")

	edited := history()[5]
	edited.Text, edited.Author.ID, edited.Root = "no longer there", "ben", 3
	c := office.PutMessage{Message: &edited}
	o.commit(c)
	m.apply([]office.Change{c})
	o.restart()
	wantPages(o, m, "after an edit and a restart")
}

// wantPages asks every query, for pages of several sizes at both ends.
func wantPages(o *owner, m *model, when string) {
	o.t.Helper()
	for name, q := range queries() {
		for _, q.Limit = range []int{0, 2} {
			for _, q.Newest = range []bool{false, true} {
				what := fmt.Sprintf("%s %s, limit %d, newest %v", name, when, q.Limit, q.Newest)
				wantSame(o.t, what, o.messages(q), m.page(q))
			}
		}
	}
}
