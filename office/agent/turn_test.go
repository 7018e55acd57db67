package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"bullpen/office"
	"bullpen/office/agent/tool"
	"bullpen/office/model"
)

func TestAnAnswerStandsWhereItWasAsked(t *testing.T) {
	t.Parallel()
	s, m := newScene(t, func(context.Context, int, *model.Request) (*model.Response, error) { return say("42"), nil })
	s.open()
	s.post("@alice what is it?")
	s.idle()
	wantTexts(t, "general", s.texts(office.General), "user: @alice what is it?", "alice: 42")
	s.dm("and here?")
	s.idle()
	wantTexts(t, "the direct channel", s.texts("dm-c1-user"), "user: and here?", "alice: 42")
	req := m.requests()[1]
	if !strings.Contains(req.System, "Your name is alice") || len(req.Tools) == 0 {
		t.Error("the model got no prompt or no tools")
	}
	if len(req.Messages) != 3 || req.Messages[1].Text != "42" {
		t.Errorf("the second turn does not continue the first:\n%s", shown(req.Messages))
	}
}

func TestCallsRunInOrderAndTheirResultsReachTheModel(t *testing.T) {
	t.Parallel()
	s, m := newScene(t, func(_ context.Context, n int, _ *model.Request) (*model.Response, error) {
		if n == 1 {
			return calls(
				"write", `{"path":"notes.txt","content":"milk\n"}`,
				"office_post", `{"text":"written","wake":[],"channel":"#dev"}`,
				"read", `{"path":"notes.txt"}`,
				"office_read", `{"channel":"#dev"}`), nil
		}
		return say("done"), nil
	})
	s.open()
	s.post("@alice write it down")
	s.idle()
	got := toolResults(m.last())
	if len(got) != 4 || !strings.Contains(got[1], "Posted dev-1") || !strings.Contains(got[2], "milk") || !strings.Contains(got[3], "written") {
		t.Errorf("results %q", got)
	}
	if s.workspace("notes.txt") != "milk\n" {
		t.Error("the file was not written")
	}
	wantTexts(t, "dev", s.texts("dev"), "alice: written")
	wantTexts(t, "general", s.texts(office.General), "user: @alice write it down", "alice: done")
}

func extra(name string, run func(ctx context.Context) (string, error)) tool.Tool {
	return tool.Tool{
		Tool: model.Tool{Name: name, Schema: json.RawMessage(`{"type":"object"}`)}, Class: office.EffectCall,
		Run: func(ctx context.Context, _ tool.Env, _ json.RawMessage) (string, error) { return run(ctx) },
	}
}

func TestACallThatDoesNotWorkIsToldToTheModelAndTheTurnGoesOn(t *testing.T) {
	t.Parallel()
	broken := calls("office_post", `{}`)
	broken.Calls[0].Broken = "unexpected end of JSON input"
	for _, tc := range []struct {
		name string
		call *model.Response
		want string
	}{
		{"unknown tool", calls("launch_rocket", `{}`), `there is no tool "launch_rocket"; you have office_post`},
		{"broken arguments", broken, "unexpected end of JSON input"},
		{"unknown key", calls("office_post", `{"text":"x","wake":[],"chanel":"dev"}`), `"chanel"`},
		{"no wake", calls("office_post", `{"text":"x"}`), "wake"},
		{"unknown name", calls("office_post", `{"text":"x","wake":["@bobb"]}`), "bob"},
		{"denied", calls("grep", `{"pattern":"x"}`), "you do not hold the tool grep"},
		{"fails", calls("fails", `{}`), "fails failed: the printer is on fire"},
		{"panics", calls("panics", `{}`), "panics failed by an error of its own: out of cheese"},
		{"runs over the end of a list", calls("overrun", `{}`), "overrun failed by an error of its own"},
		{"out of the workspace", calls("read", `{"path":"../../record/bullpen.db"}`), "read failed"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s, m := newScene(t, func(_ context.Context, n int, _ *model.Request) (*model.Response, error) {
				if n == 1 {
					return tc.call, nil
				}
				return say("I saw it"), nil
			})
			s.setup.Colleagues[0].Deny = []string{"grep"}
			s.tools = []tool.Tool{
				extra("fails", func(context.Context) (string, error) { return "", errors.New("the printer is on fire") }),
				extra("panics", func(context.Context) (string, error) { panic("out of cheese") }),
				extra("overrun", func(context.Context) (string, error) { return strings.Fields("two words")[2], nil }),
			}
			s.open()
			s.post("@alice go")
			s.idle()
			got := m.last()
			end := got[len(got)-1]
			if end.Role != model.RoleTool || !end.Failed || !strings.Contains(end.Text, tc.want) {
				t.Errorf("the model was told %q (failed: %v), want %q in it", end.Text, end.Failed, tc.want)
			}
			wantTexts(t, "general", s.texts(office.General), "user: @alice go", "alice: I saw it")
		})
	}
}

func TestOneThatNeverStopsCallingToolsIsEndedAndWhoAskedIsTold(t *testing.T) {
	t.Parallel()
	s, m := newScene(t, func(_ context.Context, n int, req *model.Request) (*model.Response, error) {
		if strings.Contains(req.Messages[len(req.Messages)-1].Text, "again") {
			return say("well"), nil
		}
		return calls("office_colleagues", `{}`, "ls", `{}`), nil
	})
	s.setup.Limits.Steps = 5
	s.open()
	s.post("@alice loop")
	s.idle()
	if n := len(m.requests()); n != 5 {
		t.Errorf("%d requests", n)
	}
	s.post("@alice again")
	s.idle()
	got := s.texts(office.General)
	if len(got) != 4 || !strings.Contains(got[1], "alice could not finish general-1") || !strings.Contains(got[1], "5 steps") || got[3] != "alice: well" {
		t.Errorf("general %q", got)
	}
}

// What was said while a turn ran is never thrown away with it, however it ends.
func TestWhatWaitsSurvivesEveryEndOfATurn(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		end  func(ctx context.Context, go_ <-chan struct{}) (*model.Response, error)
		told string
	}{
		{"the provider hangs until the turn's time is up", func(ctx context.Context, _ <-chan struct{}) (*model.Response, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}, "longer than 30s"},
		{"the provider hangs and hides why it stopped", func(ctx context.Context, _ <-chan struct{}) (*model.Response, error) {
			<-ctx.Done()
			return nil, &model.Error{Kind: model.Timeout, Sentence: "the connection broke"}
		}, "longer than 30s"},
		{"the provider fails", func(_ context.Context, go_ <-chan struct{}) (*model.Response, error) {
			<-go_
			return nil, &model.Error{Kind: model.Unavailable, Sentence: "the key is wrong"}
		}, "the key is wrong"},
		{"the model's code panics", func(_ context.Context, go_ <-chan struct{}) (*model.Response, error) {
			<-go_
			panic("nil map")
		}, "internal error"},
		{"a model that gives neither answer nor error", func(_ context.Context, go_ <-chan struct{}) (*model.Response, error) {
			<-go_
			return nil, nil
		}, "could not finish"},
		{"a tool hangs until the turn's time is up", func(_ context.Context, go_ <-chan struct{}) (*model.Response, error) {
			<-go_
			return calls("hangs", `{}`), nil
		}, "longer than 30s"},
	} {
		for _, way := range []string{"posts", "direct messages"} {
			t.Run(tc.name+"/"+way, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					release := make(chan struct{})
					s, m := newScene(t, func(ctx context.Context, n int, _ *model.Request) (*model.Response, error) {
						if n == 1 {
							return tc.end(ctx, release)
						}
						return say("both done"), nil
					})
					s.setup.Limits.TurnTime = 30 * time.Second
					s.tools = []tool.Tool{extra("hangs", func(ctx context.Context) (string, error) { <-ctx.Done(); return "", ctx.Err() })}
					s.open()
					send, channel := s.post, office.General
					if way != "posts" {
						send, channel = s.dm, "dm-c1-user"
					}
					send("@alice first")
					synctest.Wait()
					send("@alice second")
					send("@alice third")
					close(release)
					s.idle()
					got := s.texts(channel)
					if len(got) != 5 || !strings.HasPrefix(got[3], "office: alice could not finish "+string(channel)+"-1: ") || !strings.Contains(got[3], tc.told) {
						t.Fatalf("said %q", got)
					}
					if got[4] != "alice: both done" {
						t.Errorf("answered %q", got[4])
					}
					reqs := m.requests()
					if len(reqs) != 2 {
						t.Fatalf("%d requests; what waited belongs into one turn", len(reqs))
					}
					frame := m.last()[len(m.last())-1].Text
					second, third := strings.Index(frame, "@alice second"), strings.Index(frame, "@alice third")
					if second < 0 || third < second || strings.Contains(frame, "@alice first") {
						t.Errorf("the next turn was given:\n%s", frame)
					}
				})
			})
		}
	}
}
