package agent_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"bullpen/office"
	"bullpen/office/model"
)

func fails(k model.Kind, after time.Duration) error {
	return &model.Error{Kind: k, RetryAfter: after, Sentence: "provider says " + string(k)}
}

// inTurn gives the answers of a list, and the last for ever.
func inTurn(answers ...any) func(context.Context, int, *model.Request) (*model.Response, error) {
	return func(_ context.Context, n int, _ *model.Request) (*model.Response, error) {
		switch a := answers[min(n, len(answers))-1].(type) {
		case error:
			return nil, a
		case *model.Response:
			return a, nil
		default:
			panic(fmt.Sprintf("no answer: %T", a))
		}
	}
}

func TestALimitHoldsForTheModelInEveryTurnAndForNoOther(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, m := newScene(t, inTurn(fails(model.RateLimited, time.Minute), say("main answered")))
		second := &script{t: t, answer: inTurn(say("fallback answered"))}
		s.models["second"] = second
		s.setup.Colleagues[0].Fallback = []string{"second"}
		s.open()
		for range 3 {
			s.post("@alice hi")
			s.idle()
		}
		if a, f := len(m.requests()), len(second.requests()); a != 1 || f != 3 {
			t.Errorf("the limited model was asked %d times and the other %d times, want once and 3", a, f)
		}
		<-time.After(time.Minute)
		s.post("@alice and now?")
		s.idle()
		if a := len(m.requests()); a != 2 {
			t.Errorf("after its minute the model was asked %d times, want 2", a)
		}
	})
}

func TestAFailedRequestIsTriedAgainWhereThatMayHelp(t *testing.T) {
	t.Parallel()
	good := say("main answered")
	for _, tc := range []struct {
		name       string
		main       []any
		want       string // what the person gets
		asked      int    // requests to the main model
		fallback   int    // requests to the fallback
		atLeast    time.Duration
		atMost     time.Duration
		noFallback bool
	}{
		{name: "rate limited, nobody else", main: []any{fails(model.RateLimited, 60*time.Second), good}, want: "alice: main answered", asked: 2, atLeast: 60 * time.Second, atMost: 61 * time.Second, noFallback: true},
		{name: "rate limited for longer than the fallback takes", main: []any{fails(model.RateLimited, 60*time.Second), good}, want: "alice: fallback answered", asked: 1, fallback: 1, atMost: time.Second},
		{name: "rate limited for a moment", main: []any{fails(model.RateLimited, 2*time.Second), good}, want: "alice: main answered", asked: 2, atLeast: 2 * time.Second, atMost: 3 * time.Second},
		{name: "no quota for a while, nobody else", main: []any{fails(model.Exhausted, 3*time.Minute), good}, want: "alice: main answered", asked: 2, atLeast: 3 * time.Minute, atMost: 3*time.Minute + time.Second, noFallback: true},
		{name: "no quota, nobody says until when", main: []any{fails(model.Exhausted, 0), good}, want: "provider says exhausted", asked: 1, atMost: time.Second, noFallback: true},
		{name: "overloaded twice, without a time", main: []any{fails(model.Overloaded, 0), fails(model.Overloaded, 0), good}, want: "alice: main answered", asked: 3, atLeast: time.Second, atMost: 4 * time.Second},
		{name: "the connection breaks", main: []any{fails(model.Timeout, 0), good}, want: "alice: main answered", asked: 2, atMost: 2 * time.Second},
		{name: "overloaded for good", main: []any{fails(model.Overloaded, 0)}, want: "alice: fallback answered", asked: 4, fallback: 1, atMost: 20 * time.Second},
		{name: "the wait is too long", main: []any{fails(model.RateLimited, time.Hour)}, want: "alice: fallback answered", asked: 1, fallback: 1, atMost: time.Second},
		{name: "no quota", main: []any{fails(model.Exhausted, time.Hour)}, want: "alice: fallback answered", asked: 1, fallback: 1, atMost: time.Second},
		{name: "a bad key", main: []any{fails(model.Unavailable, 0)}, want: "alice: fallback answered", asked: 1, fallback: 1, atMost: time.Second},
		{name: "an error of no kind", main: []any{errors.New("broken pipe")}, want: "alice: fallback answered", asked: 1, fallback: 1, atMost: time.Second},
		{name: "refused", main: []any{fails(model.Refused, 0)}, want: "provider says refused", asked: 1, atMost: time.Second},
		{name: "called malformed", main: []any{fails(model.Invalid, 0)}, want: "provider says invalid", asked: 1, atMost: time.Second},
		{name: "empty once", main: []any{&model.Response{}, good}, want: "alice: main answered", asked: 2, atMost: time.Second},
		{name: "empty twice", main: []any{fails(model.Empty, 0)}, want: "alice: fallback answered", asked: 2, fallback: 1, atMost: time.Second},
		{name: "empty after a result", main: []any{calls("ls", `{}`), &model.Response{Stop: model.StopLength}, good}, want: "alice: main answered", asked: 3, atMost: time.Second},
		{name: "empty twice, nobody else", main: []any{&model.Response{}}, want: "the model answered nothing", asked: 2, noFallback: true, atMost: time.Second},
		{name: "too long at once", main: []any{fails(model.TooLong, 0)}, want: "alice: fallback answered", asked: 1, fallback: 1, atMost: time.Second},
		{name: "overloaded, nobody else", main: []any{fails(model.Overloaded, 0)}, want: "provider says overloaded", asked: 4, noFallback: true, atMost: 20 * time.Second},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s, m := newScene(t, inTurn(tc.main...))
				second := &script{t: t, answer: inTurn(say("fallback answered"))}
				s.models["second"] = second
				if !tc.noFallback {
					s.setup.Colleagues[0].Fallback = []string{"nonexistent", "second"}
				}
				s.open()
				start := time.Now()
				s.post("@alice hi")
				s.idle()
				took := time.Since(start)
				got := s.texts(office.General)
				if len(got) != 2 || !strings.Contains(got[1], tc.want) {
					t.Fatalf("general %q, want %q", got, tc.want)
				}
				if a, f := len(m.requests()), len(second.requests()); a != tc.asked || f != tc.fallback {
					t.Errorf("asked %d times and the fallback %d times, want %d and %d", a, f, tc.asked, tc.fallback)
				}
				if took < tc.atLeast || took > tc.atMost+50*time.Millisecond {
					t.Errorf("it took %s", took)
				}
			})
		})
	}
}

func TestAModelThatDoesNotExistIsSaidToWhoAsked(t *testing.T) {
	t.Parallel()
	s, _ := newScene(t, inTurn(say("never")))
	s.setup.Colleagues[0].Model = "nonexistent"
	s.open()
	s.post("@alice hi")
	s.idle()
	if got := s.texts(office.General); len(got) != 2 || !strings.Contains(got[1], `there is no model "nonexistent"`) {
		t.Errorf("general %q", got)
	}
}

func TestATranscriptThatDoesNotFitIsShortenedInWholePairs(t *testing.T) {
	t.Parallel()
	for _, most := range []int{40, 12, 5, 3, 2} {
		t.Run(fmt.Sprintf("at most %d messages fit", most), func(t *testing.T) {
			t.Parallel()
			const turns = 12
			s, m := newScene(t, func(_ context.Context, _ int, req *model.Request) (*model.Response, error) {
				if len(req.Messages) > most {
					return nil, fails(model.TooLong, 0)
				}
				if req.Messages[len(req.Messages)-1].Role == model.RoleUser && most > 3 {
					return calls("ls", `{}`, "office_colleagues", `{}`), nil
				}
				return say("done"), nil
			})
			s.open()
			for i := range turns {
				s.post(fmt.Sprintf("@alice question %d", i+1))
				s.idle()
			}
			answered := 0
			for _, line := range s.texts(office.General) {
				if line == "alice: done" {
					answered++
				}
			}
			if answered != turns {
				t.Errorf("%d of %d were answered: %q", answered, turns, s.texts(office.General))
			}
			if n := len(m.requests()); n > turns*12 {
				t.Errorf("%d requests", n)
			}
		})
	}
}

// A provider that calls everything too long must not be asked for ever.
func TestOneThatNothingIsShortEnoughForIsGivenUp(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	s, m := newScene(t, func(ctx2 context.Context, n int, req *model.Request) (*model.Response, error) {
		switch {
		case n > 50:
			cancel()
			<-ctx2.Done()
			return nil, ctx2.Err()
		case len(req.Messages) == 1:
			return say("fine"), nil
		default:
			return nil, fails(model.TooLong, 0)
		}
	})
	s.open()
	s.post("@alice first")
	s.idle()
	s.post("@alice second")
	until(t, "the turn ended", func() bool {
		if ctx.Err() != nil {
			t.Fatalf("asked %d times, at last with\n%s", len(m.requests()), shown(m.last()))
		}
		a, err := s.o.Activity(context.Background())
		return err == nil && a.Idle()
	})
	got := s.texts(office.General)
	if len(got) != 4 || !strings.Contains(got[3], "provider says too-long") {
		t.Errorf("general %q", got)
	}
}

func TestClosingDoesNotWaitForAProvidersPause(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, _ := newScene(t, inTurn(fails(model.RateLimited, time.Minute), say("after the restart")))
		s.open()
		s.post("@alice hi")
		synctest.Wait()
		start := time.Now()
		s.shut(s.o, s.store)()
		if took := time.Since(start); took > time.Second {
			t.Errorf("closing took %s", took)
		}
		s.open()
		s.idle()
		wantTexts(t, "general", s.texts(office.General), "user: @alice hi", "alice: after the restart")
	})
}

// What is paid is counted for the model that took it, also where nothing came of it.
func TestEachModelsTokensAreBookedAtItsOwnPrice(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		cut := &model.Error{Kind: model.Overloaded, Usage: model.Usage{Input: 10}, Sentence: "it broke off"}
		s, _ := newScene(t, inTurn(cut))
		s.models["second"] = &script{t: t, answer: inTurn(&model.Response{
			Text: "fallback answered", Stop: model.StopEnd, Model: "second-2026", Usage: model.Usage{Input: 5, CacheRead: 100, Output: 3, Reasoning: 2},
		})}
		s.setup.Colleagues[0].Fallback = []string{"second"}
		s.setup.Prices = map[string]office.Price{"main": {Input: office.Dollar}, "second": {Input: office.Dollar / 10, CacheRead: office.Dollar / 100, Output: office.Dollar / 2}}
		s.setup.Limits.ColleagueCost = 1000 * office.Dollar
		s.open()
		s.post("@alice hi")
		s.idle()
		cost, err := s.o.Cost(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		// Four failed tries of 10 USD, then 0.5 + 1 + 1.5.
		if got := cost.Colleagues[0]; got.Cost.String() != "43 USD" || got.Unpriced != 0 || got.Tokens != 148 {
			t.Errorf("booked %+v, want 43 USD for 148 tokens", got)
		}
	})
}

// A summary that came to nothing was paid for as well.
func TestAFailedSummaryIsBooked(t *testing.T) {
	t.Parallel()
	s, _ := newScene(t, func(_ context.Context, _ int, req *model.Request) (*model.Response, error) {
		if isSummary(req) {
			return &model.Response{Text: " ", Stop: model.StopEnd, Usage: model.Usage{Input: 1000}}, nil
		}
		if err := tooLong(req, 9000); err != nil {
			return nil, err
		}
		return &model.Response{Text: "done", Stop: model.StopEnd, Usage: model.Usage{Input: 1}}, nil
	})
	s.open()
	for range 6 {
		s.post("@alice go on " + strings.Repeat("x", 1800))
		s.idle()
	}
	cost, err := s.o.Cost(t.Context())
	if err != nil || cost.Office.Tokens < 1006 {
		t.Errorf("booked %+v (%v), want the summary's 1,000 as well", cost.Office, err)
	}
}
