package main

import (
	"bytes"
	"io"
	"regexp"
	"strings"
	"testing"

	api "github.com/slack-go/slack"

	"bullpen/internal/sim/slack"
)

// anyTS stands for timestamps in expected output.
var anyTS = regexp.MustCompile(`\d{9,10}\.\d{6}`)

func run(t *testing.T, input string, f slackFlags) (string, error) {
	t.Helper()
	f.addr = "127.0.0.1:0"
	if f.as == "" {
		f.as, f.in = "maria", "general"
	}
	var out bytes.Buffer
	err := runSlack(t.Context(), f, strings.NewReader(input), &out)
	_, shown, _ := strings.Cut(out.String(), "channels: {general: C0GENERAL, dev: C0DEV}\n\n")
	return anyTS.ReplaceAllString(shown, "TS"), err
}

func TestAScriptOnAPipe(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, in string
		want     []string
	}{
		{"a message", "hello @office, a < b", []string{"#general TS Maria: hello @office, a < b"}},
		{"two people", "one\n/as kim\ntwo", []string{"#general TS Maria: one", "#general TS Kim: two"}},
		{"another channel", "/in dev\nx\n/in #general\ny", []string{"#dev TS Maria: x", "#general TS Maria: y"}},
		{"a thread", "root\n/thread last\nreply\n/thread off\nout", []string{
			"#general TS Maria: root", "#general TS [thread TS] Maria: reply", "#general TS Maria: out",
		}},
		{"edit and delete", "tpyo\n/edit typo\n/delete", []string{
			"#general TS Maria: tpyo", "#general TS Maria (edited): typo", "#general TS (deleted)",
		}},
		{"reactions", "x\n/react :eyes:\n/unreact last eyes", []string{
			"#general TS Maria: x", "#general TS :eyes: by maria", "#general TS :eyes: taken back",
		}},
		{"a DM", "/dm psst", []string{"@maria TS Maria: psst"}},
		{"a command that nobody takes", "/office status", []string{
			"#general TS Slackbot (only for U0MARIA): /office failed with the error \"dispatch_failed\"",
		}},
		{"the channel so far", "x\n/as kim\n/show", []string{"#general TS Maria: x", "#general TS Maria: x"}},
		{"what goes wrong", "/as nobody\n/in nowhere\n/nope\n/break nope", []string{
			`! there is no person "nobody"; try /who`, `! go to "nowhere": there is no such channel; try /who`,
			`! slack sim: /nope is not a valid command`, `! break "nope": there is no such thing; /break lists what there is`,
		}},
		{"the end", "x\n/quit\ny", []string{"#general TS Maria: x"}},
		{"nothing", "\n\n", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got, err := run(t, tc.in+"\n", slackFlags{})
			if err != nil {
				t.Fatal(err)
			}
			if want := strings.Join(append(tc.want, ""), "\n"); got != want {
				t.Errorf("got\n%swant\n%s", got, want)
			}
		})
	}
}

func TestFlagsThatNameNobody(t *testing.T) {
	t.Parallel()
	if _, err := run(t, "", slackFlags{as: "nobody", in: "general"}); err == nil {
		t.Error("started as nobody")
	}
	if _, err := run(t, "", slackFlags{as: "office", in: "general"}); err == nil {
		t.Error("started as the bot")
	}
}

// station is a prompt with its feed, and the office's client at the other end.
func station(t *testing.T) (p *prompt, f *feed, out *bytes.Buffer, client *api.Client) {
	t.Helper()
	srv, err := slack.Start(slack.Options{Workspace: exampleWorkspace()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = srv.Close() })
	p = &prompt{srv: srv}
	if err := p.enter("kim", "general"); err != nil {
		t.Fatal(err)
	}
	out = &bytes.Buffer{}
	return p, newFeed(p.news(), out), out, api.New(srv.BotToken(), api.OptionAPIURL(srv.APIURL()))
}

func TestWhatAColleagueSaysIsPrinted(t *testing.T) {
	t.Parallel()
	p, f, out, client := station(t)
	button := api.NewButtonBlockElement("yes", "1", api.NewTextBlockObject("plain_text", "Yes", false, false))
	_, _, err := client.PostMessage("C0GENERAL", api.MsgOptionText("two\nlines", false), api.MsgOptionUsername("Ada"),
		api.MsgOptionBlocks(api.NewMarkdownBlock("", "two\nlines"), api.NewActionBlock("", button)))
	if err != nil {
		t.Fatal(err)
	}
	f.print()
	f.print()
	want := "#general TS Ada: two\n    lines\n    [Yes]\n    [Yes] /click yes\n"
	if got := anyTS.ReplaceAllString(out.String(), "TS"); got != want {
		t.Errorf("printed %q, want %q", got, want)
	}
	if _, err := p.do("/click yes"); err != nil {
		t.Error(err)
	}
	if _, err := p.do("/click no"); err == nil {
		t.Error("a button that is not there was pressed")
	}
}

func TestFormsAndThePage(t *testing.T) {
	t.Parallel()
	p, _, _, client := station(t)
	if _, err := p.do("/form"); err == nil {
		t.Error("there is a form before one was opened")
	}
	trigger, err := p.me().Slash("general", "/office", "hire")
	if err != nil {
		t.Fatal(err)
	}
	label := func(s string) *api.TextBlockObject { return api.NewTextBlockObject("plain_text", s, false, false) }
	input := api.NewInputBlock("name", label("Name"), nil, api.NewPlainTextInputBlockElement(nil, "v"))
	view := api.ModalViewRequest{Type: api.VTModal, Title: label("Hire"), Submit: label("Go"), Blocks: api.Blocks{BlockSet: []api.Block{input}}}
	if _, err := client.OpenView(trigger, view); err != nil {
		t.Fatal(err)
	}
	if shown, err := p.do("/form"); err != nil || !strings.Contains(shown, "name=Name") {
		t.Errorf("%q %v", shown, err)
	}
	if _, err := p.do("/form name=ada; role=x"); err != nil {
		t.Error(err)
	}
	if _, err := p.do("/form role=x"); err == nil {
		t.Error("submitted without a name")
	}
	button := api.NewActionBlock("", api.NewButtonBlockElement("go", "", label("Go")))
	page := api.HomeTabViewRequest{Type: api.VTHomeTab, Blocks: api.Blocks{BlockSet: []api.Block{button}}}
	if _, err := client.PublishView("U0KIM", page, ""); err != nil {
		t.Fatal(err)
	}
	if shown, err := p.do("/home"); err != nil || shown != "[Go]\n    [Go] /home go" {
		t.Errorf("%q %v", shown, err)
	}
	if _, err := p.do("/home go"); err != nil {
		t.Error(err)
	}
}

func TestEveryWayToBreakIt(t *testing.T) {
	t.Parallel()
	how := map[string]string{"error": " fatal_error chat.postMessage", "scope": " -chat:write", "rates": " on", "429": " 5"}
	for _, fl := range faults {
		p, _, _, _ := station(t)
		if fl.name == "unarchive" {
			if _, err := p.do("/break archive"); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := p.do("/break " + fl.name + how[fl.name]); err != nil {
			t.Errorf("/break %s: %v", fl.name, err)
		}
	}
	p, _, _, client := station(t)
	if _, err := p.do("/break error edit_window_closed chat.postMessage"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := client.PostMessage("C0GENERAL", api.MsgOptionText("x", false)); err == nil || err.Error() != "edit_window_closed" {
		t.Errorf("got %v", err)
	}
}

func TestTheCommandLine(t *testing.T) {
	t.Parallel()
	c := command()
	var out bytes.Buffer
	c.SetOut(&out)
	c.SetIn(strings.NewReader("hello\n/who\n/help\n/break\n/status\n/home\n"))
	c.SetArgs([]string{"slack", "--as", "kim", "--in", "dev"})
	if err := c.ExecuteContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"export SLACK_APP_TOKEN=xapp-", "export SLACK_BOT_TOKEN=xoxb-", "api_url: http://127.0.0.1:", "/api/\n",
		" Kim: hello\n", "U0MARIA (admin)", "/break offline", "sockets 0",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the output lacks %q", want)
		}
	}
	c.SetOut(io.Discard)
	c.SetArgs([]string{"slack", "--addr", "nonsense"})
	if err := c.ExecuteContext(t.Context()); err == nil {
		t.Error("it listened on nonsense")
	}
}

func TestTabCompletesCommands(t *testing.T) {
	t.Parallel()
	if line, pos, ok := complete("/thr", 4, '\t'); !ok || line != "/thread " || pos != 8 {
		t.Errorf("%q %d %t", line, pos, ok)
	}
	if _, _, ok := complete("hello", 5, '\t'); ok {
		t.Error("it completed a message")
	}
}
