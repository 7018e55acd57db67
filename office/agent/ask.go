package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"bullpen/internal/fault"
	"bullpen/office"
	"bullpen/office/model"
)

// How failed requests are tried again.
const (
	// tries is how often one model is asked before the next in order.
	tries = 4
	// emptyTries is how often an answer without anything in it is asked for.
	emptyTries = 2
	firstPause = time.Second
	maxPause   = 30 * time.Second
	// longestWait is the longest wait that a provider may ask for before the same
	// model is asked again; with a fallback behind it, fallbackWait is.
	longestWait  = 2 * time.Minute
	fallbackWait = 5 * time.Second
	// limitCool is how long a limited model is left alone where the provider did
	// not say.
	limitCool = 30 * time.Second
	// longestQuota is the longest wait for an account's reset.
	longestQuota = 32 * 24 * time.Hour
)

// ask gets an answer from the colleague's model or, when that one cannot give
// one, from its fallbacks in order. When the account of all that is left is
// exhausted it waits for the reset. The error is a sentence for whoever asked.
func (t *turn) ask(ctx context.Context) (*model.Response, error) {
	t.used = nil
	for {
		resp, err := t.askAll(ctx)
		if err == nil || ctx.Err() != nil {
			return resp, err
		}
		var failure *model.Error
		if !errors.As(err, &failure) || failure.Kind != model.Exhausted || failure.RetryAfter <= 0 || failure.RetryAfter > longestQuota {
			return nil, sentence(err)
		}
		if err := t.waitForQuota(ctx, failure); err != nil {
			return nil, err
		}
	}
}

// waitForQuota waits for an account's reset, and lets the office show that.
func (t *turn) waitForQuota(ctx context.Context, failure *model.Error) error {
	until := time.Now().Add(failure.RetryAfter)
	if _, err := t.record(ctx, func(ctx context.Context) (office.Progress, error) {
		return office.Progress{}, t.o.Waiting(ctx, t.start.Turn.Ref(), until)
	}); err != nil {
		return err
	}
	t.log.Warn("the model's account is exhausted", "until", until, "err", failure)
	t.clock.stand()
	defer t.clock.walk()
	defer t.vigil.stand()()
	return wait(ctx, failure.RetryAfter)
}

// askAll asks the colleague's models in order, those left alone for now last.
// The error is that of the model that can be asked again first.
func (t *turn) askAll(ctx context.Context) (*model.Response, error) {
	defer t.vigil.stand()() // each request and each pause has a limit of its own
	refs := append([]string{t.start.Colleague.Model}, t.start.Colleague.Fallback...)
	slices.SortStableFunc(refs, func(a, b string) int {
		return cmp.Compare(t.cooling.rest(a, time.Now()), t.cooling.rest(b, time.Now()))
	})
	var last error
	for i, ref := range refs {
		m, err := t.Models(ref)
		if err != nil {
			last = earlier(last, err)
			continue
		}
		patience := longestWait
		if i < len(refs)-1 {
			patience = fallbackWait
		}
		resp, err := t.askOne(ctx, ref, m, patience)
		if err == nil || ctx.Err() != nil {
			return resp, err
		}
		t.log.Warn("a model gave no answer", "model", ref, "err", err)
		if last = earlier(last, err); final(err) {
			return nil, err
		}
	}
	return nil, last
}

// earlier is the failure of the two that waiting mends first; of two that it
// does not mend, the later one.
func earlier(a, b error) error {
	var x, y *model.Error
	if errors.As(a, &x) && x.RetryAfter > 0 && (!errors.As(b, &y) || y.RetryAfter <= 0 || x.RetryAfter < y.RetryAfter) {
		return a
	}
	return b
}

// final says whether another model would only repeat the failure, or must not be asked.
func final(err error) bool {
	k := model.KindOf(err)
	return k == model.Refused || k == model.Invalid || errors.As(err, new(cutShort))
}

// askOne asks one model, again where waiting or shortening may help, but waits
// no longer than patience at a time.
func (t *turn) askOne(ctx context.Context, ref string, m model.Model, patience time.Duration) (*model.Response, error) {
	if t.full {
		t.full = false
		if _, err := t.compact(ctx, ref, m); err != nil {
			return nil, err
		}
	}
	pause := firstPause
	var empty int
	for try := 1; ; try++ {
		if rest := t.cooling.rest(ref, time.Now()); rest > 0 {
			if rest > patience {
				return nil, &model.Error{Kind: t.cooling.kind(ref), RetryAfter: rest, Sentence: fmt.Sprintf("the model %s is at its limit and can be asked again in %s", ref, rest.Round(time.Second))}
			}
			if err := wait(ctx, rest); err != nil {
				return nil, err
			}
		}
		resp, err := t.generate(ctx, ref, m)
		if err == nil {
			t.full = t.nearlyFull(ref, resp.Usage)
			return resp, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		var failure *model.Error
		if !errors.As(err, &failure) {
			return nil, err
		}
		switch failure.Kind {
		case model.Empty:
			if empty++; empty >= emptyTries {
				return nil, err
			}
			continue
		case model.TooLong:
			if room, failed := t.compact(ctx, ref, m); failed != nil {
				return nil, failed
			} else if !room {
				return nil, err
			}
			continue
		case model.Exhausted:
			// Where nobody says until when, the next to ask shall learn it at once.
			if failure.RetryAfter > 0 {
				t.cooling.down(ref, model.Exhausted, time.Now().Add(failure.RetryAfter))
			}
			return nil, err
		case model.RateLimited, model.Overloaded, model.Timeout:
		default:
			return nil, err
		}
		if failure.Kind == model.RateLimited && failure.RetryAfter > 0 {
			t.cooling.down(ref, failure.Kind, time.Now().Add(failure.RetryAfter))
		}
		after := max(failure.RetryAfter, pause/2+rand.N(pause/2))
		if try >= tries || after > patience {
			if failure.Kind == model.RateLimited {
				t.cooling.down(ref, failure.Kind, time.Now().Add(orDefault(failure.RetryAfter, limitCool)))
			}
			return nil, err
		}
		if err := wait(ctx, after); err != nil {
			return nil, err
		}
		pause = min(2*pause, maxPause)
	}
}

func orDefault(d, def time.Duration) time.Duration {
	if d <= 0 {
		return def
	}
	return d
}

func (t *turn) generate(ctx context.Context, ref string, m model.Model) (*model.Response, error) {
	resp, err := t.request(ctx, ref, m, &model.Request{
		System: t.system, Messages: t.messages, Tools: t.tools, Thinking: t.start.Colleague.Thinking,
	}, t.writes())
	if err == nil {
		own := *resp // what a model gives may be another turn's as well
		own.Text = withoutRepeats(own.Text)
		if own.Text != "" || len(own.Calls) > 0 {
			return &own, nil
		}
		err = &model.Error{Kind: model.Empty, Sentence: "the model answered nothing"}
	}
	if !t.o.WithdrawDraft(t.start.Turn.Ref()) {
		err = cutShort{err}
	}
	return nil, err
}

// request asks a model once, and counts what that was billed for.
func (t *turn) request(ctx context.Context, ref string, m model.Model, r *model.Request, piece func(string)) (*model.Response, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	fault.Point("model.before")
	resp, err := m.Generate(ctx, r, piece)
	fault.Point("model.after")
	var failure *model.Error
	switch {
	case err == nil:
		t.use(ref, resp.Model, resp.Usage)
	case errors.As(err, &failure):
		t.use(ref, "", failure.Usage)
	}
	return resp, err
}

// use counts what a request to a model was billed for, whatever came of it.
func (t *turn) use(ref, name string, u model.Usage) {
	i := slices.IndexFunc(t.used, func(x office.Usage) bool { return x.Ref == ref })
	if i < 0 {
		i = len(t.used)
		t.used = append(t.used, office.Usage{Ref: ref})
	}
	to := &t.used[i]
	if name != "" {
		to.Model = name
	}
	to.Input += u.Input
	to.CacheRead += u.CacheRead
	to.CacheWrite += u.CacheWrite
	to.Output += u.Output
	to.Reasoning += u.Reasoning
}

// shorten leaves the older half of the transcript out of this turn's requests,
// up to the beginning of a frame, so that no call loses its result.
func (t *turn) shorten() bool {
	// Less than two left out would only make room for the sentence about it.
	for i := max(len(t.messages)/2, 2); i < len(t.messages); i++ {
		if t.messages[i].Role == model.RoleUser {
			t.messages = append([]model.Message{{
				Role: model.RoleUser,
				Text: "[office] Older parts of this transcript are left out: they did not fit. Read channels with office_read if you need what was said there.",
			}}, t.messages[i:]...)
			return true
		}
	}
	return false
}

// sentence is what whoever asked is told of a failed request.
func sentence(err error) error {
	var failure *model.Error
	if errors.As(err, &failure) {
		return errors.New(failure.Sentence)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("the model gave no answer within %s", answerTime)
	}
	return err
}
