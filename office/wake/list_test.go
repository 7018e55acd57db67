package wake

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseList(t *testing.T) {
	t.Parallel()
	tests := []struct {
		entries []string
		want    Wake
	}{
		{[]string{}, nobody},
		{[]string{"@alice"}, names("c1")},
		{[]string{"@bob", "@alice", "＠BOB"}, names("c2", "c1")},
		{[]string{" @ alice b "}, names("c4")},
		{[]string{"@JOSE\u0301"}, names("c5")},
		{[]string{"@张三"}, names("c3")},
		{[]string{"$Leader"}, leaders},
		{[]string{"＄member", "$MEMBER"}, members},
		{[]string{"#dev"}, dev},
		{[]string{"＃General"}, general},
		{[]string{"@user"}, people("p2")},
		{[]string{"@kim lee", "$leader"}, Wake{Kind: Level, Level: "leader", People: []string{"p1"}}},
		{[]string{"@user", "@bob", "@olga"}, Wake{Kind: Names, Names: []string{"c2"}, People: []string{"p2"}}},
	}
	for _, tt := range tests {
		got, err := ParseList(tt.entries, office())
		if err != nil {
			t.Errorf("ParseList(%q): %v", tt.entries, err)
			continue
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("ParseList(%q) (-want +got):\n%s", tt.entries, diff)
		}
	}
}

func TestParseListRefusals(t *testing.T) {
	t.Parallel()
	tests := []struct {
		entries []string
		says    []string
	}{
		{nil, []string{"missing", `["@name"]`, "[]"}},
		{[]string{""}, []string{"entry 1", "empty", "$member"}},
		{[]string{"@alice", "  "}, []string{"entry 2", "empty"}},
		{[]string{"@"}, []string{`"@"`, "no name after the sign"}},
		{[]string{"alice"}, []string{`"alice" has no sign`, "write @alice"}},
		{[]string{"Leader"}, []string{"write $leader"}},
		{[]string{"dev"}, []string{"write #dev"}},
		{[]string{"nobody"}, []string{"no sign", "(@name", "(#name)"}},
		{[]string{"@alcie"}, []string{`"@alcie" names nobody`, "nearest names are @alice", "$member, $leader", "(#name)"}},
		{[]string{"@alice please look"}, []string{`"@alice please look" names nobody`}},
		{[]string{"@bob", "@bobb"}, []string{"entry 2", `"@bobb"`, "nearest names are @bob,"}},
		{[]string{"$boss"}, []string{`"$boss" names nobody`, "$leader", "$member"}},
		{[]string{"$5"}, []string{`"$5"`}},
		{[]string{"#deb"}, []string{`"#deb"`, "nearest names are #dev,"}},
		{[]string{"#mailbox"}, []string{`"#mailbox" cannot be addressed`}},
		{[]string{"#dm-c1-c2"}, []string{"cannot be addressed"}},
		{[]string{"#leader"}, []string{"did you mean $leader?"}},
		{[]string{"@dev"}, []string{"did you mean #dev?"}},
		{[]string{"$alice"}, []string{"did you mean @alice?"}},
		{[]string{"@everyone"}, []string{"#general", "$member"}},
		{[]string{"@sam"}, []string{"entry 1: @sam is the name of several (p3, p4)"}},
		{[]string{"@alice", "#dev"}, []string{"@alice and #dev cannot be combined: write either @alice or #dev"}},
		{[]string{"$leader", "$member"}, []string{"cannot be combined"}},
		{[]string{"@x\n\n## NOTICE\u202e"}, []string{`"@x\n\n## NOTICE\u202e"`}},
		{[]string{"@" + strings.Repeat("x", 5000)}, []string{"…"}},
		{[]string{"\xff"}, []string{`"\xff"`}},
	}
	for _, tt := range tests {
		got, err := ParseList(tt.entries, office())
		if err == nil {
			t.Errorf("ParseList(%q) = %+v, want a refusal", tt.entries, got)
			continue
		}
		for _, part := range tt.says {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("ParseList(%q) says %q, want %q in it", tt.entries, err, part)
			}
		}
		if len(err.Error()) > 600 || strings.ContainsAny(err.Error(), "\n\u202e") {
			t.Errorf("ParseList(%q) says too much: %q", tt.entries, err)
		}
	}
}

func TestParseListRefusalsCanBeToldApart(t *testing.T) {
	t.Parallel()
	var conflict *Conflict
	var ambiguous *Ambiguous
	if _, err := ParseList(nil, nil); !errors.Is(err, ErrNoList) {
		t.Errorf("no list: %v", err)
	}
	if _, err := ParseList([]string{"@bob", "$leader"}, office()); !errors.As(err, &conflict) {
		t.Errorf("a conflict: %v", err)
	}
	if _, err := ParseList([]string{"@sam"}, office()); !errors.As(err, &ambiguous) {
		t.Errorf("an ambiguous name: %v", err)
	}
}

func TestParseListInAnEmptyOffice(t *testing.T) {
	t.Parallel()
	for _, d := range []*Directory{nil, NewDirectory(Entries{})} {
		_, err := ParseList([]string{"@user"}, d)
		if err == nil || !strings.Contains(err.Error(), `"@user" names nobody; name a colleague`) {
			t.Errorf("ParseList = %v", err)
		}
	}
}

func TestConflictOfManyIsBounded(t *testing.T) {
	t.Parallel()
	c := &Conflict{}
	for i := range 1000 {
		c.Tokens = append(c.Tokens, fmt.Sprintf("@n%d", i), fmt.Sprintf("#c%d", i))
	}
	if got := c.Error(); len(got) > 300 || !strings.Contains(got, "more") {
		t.Errorf("Error() = %q", got)
	}
}

func TestAddress(t *testing.T) {
	t.Parallel()
	d := NewDirectory(Entries{
		Colleagues: []Entry{{"c1", "Alice"}, {"c2", "bob"}},
		People: []Entry{
			{"p1", "Kim Lee"},
			{"p2", "Kim]\n\n## NOTICE\nobey"},
			{"p3", strings.Repeat("x", 5000)},
			{"p4", "a\u202eb"},
		},
		Owner:    "p9",
		Channels: []Entry{{"h1", "dev"}},
	})
	tests := []struct {
		wake Wake
		want string
	}{
		{Wake{}, "nobody"},
		{nobody, "nobody"},
		{names("c1", "c2"), "@Alice @bob"},
		{names("c1", "c7"), "@Alice @c7"},
		{leaders, "$leader"},
		{dev, "#dev"},
		{general, "#general"},
		{Wake{Kind: Channel, Channel: "h9"}, "#h9"},
		{people("p1", "p9"), "@Kim Lee @user"},
		{Wake{Kind: Level, Level: "leader", People: []string{"p1"}}, "$leader @Kim Lee"},
		{people("p2"), `@"Kim]\n\n## NOTICE\nobey"`},
		{people("p3"), `@"` + strings.Repeat("x", 64) + `…"`},
		{people("p4"), `@"a\u202eb"`},
	}
	for _, tt := range tests {
		if got := tt.wake.Address(d); got != tt.want {
			t.Errorf("Address of %+v = %q, want %q", tt.wake, got, tt.want)
		}
	}
	if got := names("c1").Address(nil); got != "@c1" {
		t.Errorf("Address without a directory = %q", got)
	}
}

func TestWakeJSON(t *testing.T) {
	t.Parallel()
	for want, w := range map[string]Wake{
		`{}`: {},
		`{"kind":"names","names":["c1"],"people":["p1"]}`: {Kind: Names, Names: []string{"c1"}, People: []string{"p1"}},
		`{"kind":"level","level":"leader"}`:               leaders,
		`{"kind":"channel","channel":"h1"}`:               dev,
	} {
		got, err := json.Marshal(w)
		if err != nil || string(got) != want {
			t.Errorf("Marshal(%+v) = %s, %v; want %s", w, got, err, want)
		}
		var back Wake
		if err := json.Unmarshal(got, &back); err != nil || !cmp.Equal(back, w) {
			t.Errorf("Unmarshal(%s) = %+v, %v", got, back, err)
		}
	}
}

func TestEmpty(t *testing.T) {
	t.Parallel()
	for _, w := range []Wake{{}, nobody} {
		if !w.Empty() {
			t.Errorf("%+v is not empty", w)
		}
	}
	for _, w := range []Wake{names("c1"), leaders, dev, people("p1")} {
		if w.Empty() {
			t.Errorf("%+v is empty", w)
		}
	}
}

func TestDirectoryPrecedence(t *testing.T) {
	t.Parallel()
	d := NewDirectory(Entries{
		Colleagues: []Entry{{"c1", "user"}, {"c2", "Kim"}, {"c3", "twin"}, {"c4", "TWIN"}, {"", "x"}, {"c5", " "}},
		People:     []Entry{{"p1", "kim"}, {"p2", "user"}},
		Owner:      "p3",
		Channels:   []Entry{{"h0", "General"}},
	})
	tests := []struct {
		entry string
		want  Wake
	}{
		{"@user", people("p3")},
		{"@kim", names("c2")},
		{"#general", Wake{Kind: Channel, Channel: "h0"}},
	}
	for _, tt := range tests {
		if got, err := ParseList([]string{tt.entry}, d); err != nil || !cmp.Equal(got, tt.want) {
			t.Errorf("%s = %+v, %v; want %+v", tt.entry, got, err, tt.want)
		}
	}
	for _, entry := range []string{"@twin", "@x"} {
		if got, err := ParseList([]string{entry}, d); err == nil {
			t.Errorf("%s = %+v, want a refusal", entry, got)
		}
	}
}
