package agent

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
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
	// longestWait is the longest wait that a provider may ask for; beyond it the
	// next model is asked instead.
	longestWait = 2 * time.Minute
)

// ask gets an answer from the colleague's model or, when that one cannot give
// one, from its fallbacks in order. The error is a sentence for whoever asked.
func (t *turn) ask(ctx context.Context) (*model.Response, error) {
	t.used = office.Usage{}
	refs := append([]string{t.start.Colleague.Model}, t.start.Colleague.Fallback...)
	var last error
	for _, ref := range refs {
		m, err := t.Models(ref)
		if err != nil {
			last = err
			continue
		}
		resp, err := t.askOne(ctx, m)
		if err == nil || ctx.Err() != nil {
			return resp, err
		}
		t.log.Warn("a model gave no answer", "model", ref, "err", err)
		last = err
		if final(model.KindOf(err)) {
			break
		}
	}
	return nil, sentence(last)
}

// final says whether another model would only repeat the failure.
func final(k model.Kind) bool { return k == model.Refused || k == model.Invalid }

// askOne asks one model, again where waiting or shortening may help.
func (t *turn) askOne(ctx context.Context, m model.Model) (*model.Response, error) {
	pause := firstPause
	var empty int
	for try := 1; ; try++ {
		resp, err := t.generate(ctx, m)
		if err == nil {
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
			if !t.shorten() {
				return nil, err
			}
			continue
		case model.RateLimited, model.Overloaded, model.Timeout:
		default:
			return nil, err
		}
		after := max(failure.RetryAfter, pause/2+rand.N(pause/2))
		if try >= tries || after > longestWait {
			return nil, err
		}
		if err := wait(ctx, after); err != nil {
			return nil, err
		}
		pause = min(2*pause, maxPause)
	}
}

func (t *turn) generate(ctx context.Context, m model.Model) (*model.Response, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	fault.Point("model.before")
	resp, err := m.Generate(ctx, &model.Request{
		System: t.system, Messages: t.messages, Tools: t.tools, Thinking: t.start.Colleague.Thinking,
	}, nil)
	fault.Point("model.after")
	var failure *model.Error
	switch {
	case err == nil:
		t.use(resp.Model, resp.Usage)
	case errors.As(err, &failure):
		t.use("", failure.Usage)
	}
	if err == nil && resp.Text == "" && len(resp.Calls) == 0 {
		return nil, &model.Error{Kind: model.Empty, Sentence: "the model answered nothing"}
	}
	return resp, err
}

// use counts what a request was billed for, whatever came of it.
func (t *turn) use(name string, u model.Usage) {
	if name != "" {
		t.used.Model = name
	}
	t.used.Input += u.Input
	t.used.CacheRead += u.CacheRead
	t.used.CacheWrite += u.CacheWrite
	t.used.Output += u.Output
	t.used.Reasoning += u.Reasoning
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
