package office

import (
	"fmt"
	"strings"
	"testing"
)

// say fills a channel with messages that wake nobody.
func (k *desk) fill(channel string, n int) {
	k.Helper()
	for i := range n {
		k.say(channel, fmt.Sprintf("message %d", i+1))
	}
}

func compactOf(from, to int64) compactRange {
	return compactRange{Channel: "dev", From: from, To: to, Summary: "what was said", By: DefaultOwner}
}

func (k *desk) ranges(ch ChannelID) string {
	var out []string
	for _, r := range k.s.Channels[ch].Ranges {
		out = append(out, fmt.Sprintf("%d-%d by %d", r.From, r.To, r.Summary))
	}
	return strings.Join(out, ", ")
}

func TestASummaryStandsForARangeAndIsWidenedByThoseInIt(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name    string
		compact [][2]int64
		want    string
	}{
		{"one", [][2]int64{{2, 5}}, "2-5 by 11"},
		{"two apart", [][2]int64{{2, 3}, {6, 7}}, "2-3 by 11, 6-7 by 12"},
		{"one that holds another", [][2]int64{{3, 4}, {1, 8}}, "1-8 by 12"},
		{"one that cuts another", [][2]int64{{3, 6}, {5, 8}}, "3-8 by 12"},
		{"one that holds another's summary", [][2]int64{{3, 4}, {10, 11}}, "3-11 by 12"},
		{"one that holds it by a third", [][2]int64{{1, 2}, {5, 6}, {6, 11}}, "1-11 by 13"},
		{"up to what there is", [][2]int64{{9, 99}}, "9-10 by 11"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			k := newDesk(t)
			k.fill("dev", 10)
			for _, r := range tc.compact {
				k.must(compactOf(r[0], r[1]))
			}
			if got := k.ranges("dev"); got != tc.want {
				t.Errorf("the ranges are %s, want %s", got, tc.want)
			}
			last := k.s.Channels["dev"].Last
			if m := k.rec.messages[Anchor{"dev", last}]; m.Covers == nil || len(m.Deliveries) != 0 || !strings.Contains(m.Text, "what was said") {
				t.Errorf("the summary is %+v", m)
			}
			if k.say("dev", "on").Anchor.Seq != last+1 {
				t.Error("a number is used again")
			}
		})
	}
}

func TestWhoCompactsWhat(t *testing.T) {
	t.Parallel()
	k := newDesk(t, withKim)
	k.fill("dev", 5)
	for name, r := range map[string]compactRange{
		"nobody's":   {Channel: "dev", From: 1, To: 2, Summary: "x", By: kim},
		"nothing":    {Channel: "dev", From: 9, To: 12, Summary: "x", By: DefaultOwner},
		"backwards":  {Channel: "dev", From: 3, To: 2, Summary: "x", By: DefaultOwner},
		"no summary": {Channel: "dev", From: 1, To: 2, Summary: " ", By: DefaultOwner},
		"a mailbox":  {Channel: MailboxOf(DefaultOwner), From: 1, To: 2, Summary: "x", By: DefaultOwner},
	} {
		if _, err := k.do(r); err == nil {
			t.Errorf("%s: it was compacted", name)
		}
	}
	k.must(pause{On: true, By: DefaultOwner})
	k.say("dev", "@alice wait")
	if _, err := k.do(compactOf(1, 6)); err == nil || !strings.Contains(err.Error(), "dev-6 still waits") {
		t.Errorf("what is still to be read was compacted: %v", err)
	}
	k.must(pause{On: false, By: DefaultOwner})
	k.finish("alice", "NO_REPLY")
	k.say("general", "@carol @bob tidy up")
	k.call("bob", verb(CompactCall{Channel: "#dev", From: 1, To: 6, Summary: "s"}))
	if got := k.lastResult("bob"); !strings.Contains(got, "only leaders") {
		t.Errorf("a member: %s", got)
	}
	k.call("carol", verb(CompactCall{Channel: "#dev", From: 1, To: 6, Summary: "s"}))
	if got := k.lastResult("carol"); !strings.Contains(got, "nothing that you may read") {
		t.Errorf("a leader who is not in it: %s", got)
	}
	k.call("carol", verb(CompactCall{Channel: "#general", From: 1, To: 1, Summary: "tidied"}))
	if got := k.lastResult("carol"); !strings.Contains(got, "general-1 still waits") {
		t.Errorf("what the turn itself was given: %s", got)
	}
}

func TestTheDropOfARangeKeepsWhatIsNeededAndWhatIsYoung(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.fill("dev", 6)
	k.must(pause{On: true, By: DefaultOwner})
	k.say("dev", "@alice wait") // 7
	k.say("dev", "after")       // 8
	var all []Message
	for seq := int64(1); seq <= 8; seq++ {
		all = append(all, *k.rec.messages[Anchor{"dev", seq}])
	}
	k.must(compactOf(3, 4))
	k.must(drop{Messages: all[2:4], Ranges: map[ChannelID][]Range{"dev": k.s.Channels["dev"].Ranges}})
	k.must(drop{Messages: append(all[:2:2], all[4:]...)})
	var left []string
	for seq := int64(1); seq <= 9; seq++ {
		if k.rec.messages[Anchor{"dev", seq}] != nil {
			left = append(left, fmt.Sprint(seq))
		}
	}
	// 7 is still to be read, and 8 is behind it.
	wantLines(t, "left", left, "7", "8", "9")
	if got := k.s.Channels["dev"].Archived; got != 6 {
		t.Errorf("archived up to %d, want 6", got)
	}
	k.must(pause{On: false, By: DefaultOwner})
	if f := k.frame(k.running("alice").ID); !strings.Contains(f, "dev-7") {
		t.Errorf("alice is given %s", f)
	}
}
