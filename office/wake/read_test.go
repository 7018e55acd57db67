package wake

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// office is the directory that the tables address. Ids differ from names, so
// that neither can be taken for the other.
func office() *Directory {
	return NewDirectory(Entries{
		Colleagues: []Entry{
			{"c1", "alice"},
			{"c2", "bob"},
			{"c3", "张三"},
			{"c4", "alice b"},
			{"c5", "José"},
			{"c6", "Straße"},
			{"c7", "an-na"},
			{"c8", "ada"},
			{"c9", "张三 丰"},
		},
		People:   []Entry{{"p1", "Kim Lee"}, {"p2", "Olga"}, {"p3", "Sam"}, {"p4", "sam"}, {"p5", "ada"}},
		Owner:    "p2",
		Channels: []Entry{{"h1", "dev"}, {"h2", "dev-ops"}},
	})
}

func names(ids ...string) Wake  { return Wake{Kind: Names, Names: ids} }
func people(ids ...string) Wake { return Wake{Kind: Nobody, People: ids} }

var (
	nobody  = Wake{Kind: Nobody}
	leaders = Wake{Kind: Level, Level: "leader"}
	members = Wake{Kind: Level, Level: "member"}
	dev     = Wake{Kind: Channel, Channel: "h1"}
	devOps  = Wake{Kind: Channel, Channel: "h2"}
	general = Wake{Kind: Channel, Channel: General}
)

type readCase struct {
	text string
	want Wake
}

func checkRead(t *testing.T, cases []readCase) {
	t.Helper()
	d := office()
	for _, c := range cases {
		got, err := Read(c.text, nil, d)
		if err != nil {
			t.Errorf("Read(%q): %v", c.text, err)
			continue
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("Read(%q) (-want +got):\n%s", c.text, diff)
		}
	}
}

func TestReadTellsAddressesFromProse(t *testing.T) {
	t.Parallel()
	checkRead(t, []readCase{
		{"", nobody},
		{"nothing here", nobody},
		{"@alice", names("c1")},
		{"@alice @bob @alice", names("c1", "c2")},
		{"@bob and @ALICE", names("c2", "c1")},
		{"(@alice)", names("c1")},
		{"hey,@alice", names("c1")},
		{"@alice's plan", names("c1")},
		{"@alice’s plan", names("c1")},
		{"@alice.", names("c1")},
		{"@alice... look", names("c1")},
		{"@alice-", names("c1")},
		{"@alice - look", names("c1")},
		{"\"@alice\"", names("c1")},
		{"**@alice**", names("c1")},
		{"@alice/@bob", names("c1")},
		{"hi 🎉@alice🎉", names("c1")},
		{"请@张三，看一下", names("c3")},
		{"请＠张三，看一下", names("c3")},
		{"サーバー@alice", names("c1")},
		{"が@alice", names("c1")},
		{"か\u3099@alice", names("c1")},
		{"한@alice", names("c1")},
		{"\u1112\u1161\u11ab@alice", names("c1")},
		{"ที่@alice", names("c1")},
		{"ລາວ@alice", names("c1")},
		{"mail kim@alice.example", nobody},
		{"git clone git@alice:repo.git", nobody},
		{"ssh root@bob", nobody},
		{"é@alice e\u0301@alice", nobody},
		{"5@alice ๕@alice", nobody},
		{"_@alice .@alice -@alice +@alice /@alice @@alice :@alice", nobody},
		{`\@alice \\@alice`, nobody},
		{"＠＠alice", nobody},
		{"@alicex @alice1 @alice_ @alicé @alice\u0301", nobody},
		{"@alice.example @alice-x @alice._x", nobody},
		{"@张三看一下", nobody},
		{"@ alice", nobody},
		{"@stranger", nobody},
		{"$5 C# #1 # @ $", nobody},
	})
}

func TestReadTakesTheLongestKnownName(t *testing.T) {
	t.Parallel()
	checkRead(t, []readCase{
		{"@alice b, please", names("c4")},
		{"@alice bob", names("c1")},
		{"@Alice B @alice", names("c4", "c1")},
		{"@alice  b", names("c1")},
		{"@alice\nb", names("c1")},
		{"@张三 丰，", names("c9")},
		{"@an-na", names("c7")},
		{"@an-nab", nobody},
		{"#dev-ops", devOps},
		{"#dev-oops", nobody},
		{"#dev ops", dev},
	})
}

func TestReadComparesNamesByFullFoldingAndNormalisation(t *testing.T) {
	t.Parallel()
	checkRead(t, []readCase{
		{"@José", names("c5")},
		{"@Jose\u0301", names("c5")},
		{"@JOSÉ!", names("c5")},
		{"@jose\u0301, look", names("c5")},
		{"@Jose", nobody},
		{"@STRASSE", names("c6")},
		{"@straẞe", names("c6")},
		{"@straßes", nobody},
	})
}

func TestReadLevelsChannelsAndPeople(t *testing.T) {
	t.Parallel()
	checkRead(t, []readCase{
		{"$leader", leaders},
		{"$Member: look", members},
		{"＄LEADER", leaders},
		{"$leaders", nobody},
		{"$leader $leader", leaders},
		{"#dev", dev},
		{"＃DEV!", dev},
		{"#dev #Dev", dev},
		{"#general", general},
		{"#mailbox #dm-x #leader", nobody},
		{"@user", people("p2")},
		{"@olga and @user", people("p2")},
		{"@kim lee", people("p1")},
		{"@kim", nobody},
		{"@user $leader", Wake{Kind: Level, Level: "leader", People: []string{"p2"}}},
		{"#dev @kim lee", Wake{Kind: Channel, Channel: "h1", People: []string{"p1"}}},
		{"@bob @user", Wake{Kind: Names, Names: []string{"c2"}, People: []string{"p2"}}},
		{"@ada", names("c8")}, // a person took the name later; the colleague keeps it
	})
}

func TestReadRefusesWhatCannotBeCombined(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text   string
		tokens []string
		says   string
	}{
		{
			"@alice $leader",
			[]string{"@alice", "$leader"},
			"@alice and $leader cannot be combined: write either @alice or $leader",
		},
		{
			"＃dev: @ALICE, @bob and @alice",
			[]string{"#dev", "@alice", "@bob"},
			"#dev and @alice @bob cannot be combined: write either #dev or @alice @bob",
		},
		{
			"$member $leader",
			[]string{"$member", "$leader"},
			"$member and $leader cannot be combined: write either $member or $leader",
		},
		{
			"#dev #dev-ops $leader @user",
			[]string{"#dev", "#dev-ops", "$leader"},
			"#dev, #dev-ops, $leader cannot be combined: write only one of them, for example #dev",
		},
	}
	for _, tt := range tests {
		_, err := Read(tt.text, nil, office())
		var conflict *Conflict
		if !errors.As(err, &conflict) {
			t.Errorf("Read(%q) = %v, want a conflict", tt.text, err)
			continue
		}
		if diff := cmp.Diff(tt.tokens, conflict.Tokens); diff != "" {
			t.Errorf("Read(%q) tokens (-want +got):\n%s", tt.text, diff)
		}
		if err.Error() != tt.says {
			t.Errorf("Read(%q) says %q, want %q", tt.text, err, tt.says)
		}
	}
}

func TestReadNeverGuessesWhichOfTwo(t *testing.T) {
	t.Parallel()
	_, err := Read("@sam look", nil, office())
	var ambiguous *Ambiguous
	if !errors.As(err, &ambiguous) {
		t.Fatalf("Read = %v, want it to be ambiguous", err)
	}
	if diff := cmp.Diff([]string{"p3", "p4"}, ambiguous.IDs); diff != "" {
		t.Error(diff)
	}
	if !strings.HasPrefix(err.Error(), "@sam is the name of several (p3, p4)") {
		t.Errorf("Read says %q", err)
	}
}

func TestReadWithoutADirectoryKnowsLevelsAndGeneral(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Wake{"@alice": nobody, "$leader": leaders, "#general": general} {
		if got, err := Read(text, nil, nil); err != nil || !cmp.Equal(got, want) {
			t.Errorf("Read(%q) = %+v, %v", text, got, err)
		}
	}
}

func TestReadSurvivesInvalidText(t *testing.T) {
	t.Parallel()
	checkRead(t, []readCase{
		{"\xff@alice\xff", names("c1")},
		{"@ali\xffce", nobody},
		{"@alice\xf0\x9f", names("c1")},
		{"\xef\xbc@\xef", nobody},
		{"@", nobody},
		{"\x00@alice\x00", names("c1")},
	})
}

func TestReadSpans(t *testing.T) {
	t.Parallel()
	const party = "🎉🎉 @office_bot @ada go"
	tests := []struct {
		name  string
		text  string
		spans []Span
		want  Wake
	}{
		{"a span beside a token, after emoji", party, []Span{{9, 20, SpanNobody, ""}}, names("c8")},
		{"the same after an ideograph beyond the BMP", "𠀀 @office_bot @ada go", []Span{{5, 16, SpanNobody, ""}}, names("c8")},
		{"a command", "🚀 /tasks@alice", []Span{{5, 17, SpanNobody, ""}}, nobody},
		{"a mention without a sign", "🎉 Kim, look", []Span{{5, 8, SpanPerson, "p1"}}, people("p1")},
		{"nothing inside is read", "<@alice> hi", []Span{{0, 8, SpanColleague, "c2"}}, names("c2")},
		{"order of appearance", "<@1> @bob <@2>", []Span{{10, 14, SpanColleague, "c1"}, {0, 4, SpanColleague, "c5"}}, names("c5", "c2", "c1")},
		{"a level", "<@&9> look", []Span{{0, 5, SpanLevel, "Leader"}}, leaders},
		{"not a level", "<@&9> look", []Span{{0, 5, SpanLevel, "boss"}}, nobody},
		{"a channel", "@here #dev", []Span{{0, 5, SpanChannel, "h1"}}, dev},
		{"a stranger", "@alice b", []Span{{0, 8, SpanNobody, ""}}, nobody},
		{"no id", "@alice", []Span{{0, 6, SpanColleague, ""}}, nobody},
		{"a token right behind a span", "<@1>@bob", []Span{{0, 4, SpanColleague, "c1"}}, names("c1", "c2")},
		{"a token right before a span", "@bobkim", []Span{{4, 7, SpanPerson, "p1"}}, Wake{Kind: Names, Names: []string{"c2"}, People: []string{"p1"}}},
		{"a name does not reach into a span", "@alice b", []Span{{7, 8, SpanNobody, ""}}, names("c1")},
		{"a hyphen before a span", "@bob-kim", []Span{{5, 8, SpanNobody, ""}}, names("c2")},
		{"backticks in a span are no code", "a`b @alice `c`", []Span{{1, 2, SpanNobody, ""}}, names("c1")},
		{"a quote mark in a span is no quote", "> @alice", []Span{{0, 1, SpanNobody, ""}}, names("c1")},
		{"a span in code is taken all the same", "`x <@1> @bob`", []Span{{3, 7, SpanColleague, "c1"}}, names("c1")},
		{"a URL ends at a span", "https://x.test/<@1>", []Span{{15, 19, SpanColleague, "c1"}}, names("c1")},
		{"beyond the text", "@alice", []Span{{0, 7, SpanNobody, ""}}, names("c1")},
		{"before the text", "@alice", []Span{{-1, 6, SpanNobody, ""}}, names("c1")},
		{"empty", "@alice", []Span{{2, 2, SpanNobody, ""}}, names("c1")},
		{"backwards", "@alice", []Span{{6, 0, SpanNobody, ""}}, names("c1")},
		{"inside a character", "🎉 @alice", []Span{{1, 8, SpanNobody, ""}}, names("c1")},
		{"overlapping", "@alice @bob", []Span{{0, 6, SpanNobody, ""}, {3, 11, SpanNobody, ""}}, names("c2")},
	}
	for _, tt := range tests {
		got, err := Read(tt.text, tt.spans, office())
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: Read(%q) (-want +got):\n%s", tt.name, tt.text, diff)
		}
	}
}

func TestReadLeavesTheSpansAlone(t *testing.T) {
	t.Parallel()
	spans := []Span{{7, 11, SpanNobody, ""}, {0, 6, SpanNobody, ""}, {0, 99, SpanNobody, ""}}
	before := append([]Span(nil), spans...)
	if _, err := Read("@alice @bob", spans, office()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, spans); diff != "" {
		t.Error(diff)
	}
}

func TestReadConflictsBetweenSpanAndToken(t *testing.T) {
	t.Parallel()
	_, err := Read("@here @bob", []Span{{0, 5, SpanChannel, "h1"}}, office())
	const want = "#dev and @bob cannot be combined: write either #dev or @bob"
	if err == nil || err.Error() != want {
		t.Errorf("Read = %v, want %q", err, want)
	}
}
