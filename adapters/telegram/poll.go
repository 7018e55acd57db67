package telegram

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	tg "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"bullpen/bridge"
	"bullpen/internal/fault"
)

const (
	// pollTime is how long Telegram is asked to wait for updates.
	pollTime = 50 * time.Second
	// pollMost is how many updates one call may give: the most that it can.
	pollMost = 100
	// idleReset is when the offset is forgotten: after a week without updates
	// Telegram begins anew at a random update_id, which may be a lower one. All that
	// we handled is confirmed long before (core.telegram.org/bots/api#update).
	idleReset = 5 * 24 * time.Hour
	// handledMost bounds the update ids that are remembered.
	handledMost = 2000
)

// poller asks for updates, hands each to the office, and confirms it then. It
// belongs to one goroutine.
type poller struct {
	a        *Adapter
	work     context.Context //nolint:containedctx // what is begun outlives the poll that brought it
	prepared bool
	offset   int64 // the first update that is not confirmed yet; 0: whatever is there
	next     int64 // the next update that we have not seen
	albums   map[string]*album
	asked    int64 // the offset of the last poll: all before is confirmed
	last     time.Time
	handled  map[int64]bool
	failures bridge.Failures // of updates that could not be kept
}

// poll asks once and takes in what comes.
func (p *poller) poll(ctx context.Context, wait time.Duration) error {
	if p.offset != 0 && p.a.now().Sub(p.last) > idleReset {
		p.offset, p.next = 0, 0
	}
	if len(p.albums) > 0 {
		wait = 0 // what is not confirmed is there at once, again and again
	}
	raws, e := p.get(ctx, wait, pollMost)
	if e != nil {
		return e
	}
	before := p.offset
	var us []update
	for _, raw := range raws {
		var u update
		if err := decode(raw, &u); err != nil || u.ID == 0 {
			p.a.log.Warn("an update of Telegram's has no id that can be read")
			continue
		}
		us = append(us, u)
	}
	if err := p.takeAll(us); err != nil {
		return err
	}
	if err := p.flush(); err != nil {
		return errors.Join(errNotKept, err)
	}
	switch {
	case len(p.albums) > 0:
		return bridge.Pause(ctx, albumLook)
	case len(raws) > 0 && p.offset == before:
		return bridge.Pause(ctx, bridge.BackoffFirst) // nothing could be confirmed: it comes again at once
	}
	return nil
}

func (p *poller) get(ctx context.Context, wait time.Duration, limit int) ([]json.RawMessage, error) {
	params := tg.Params{
		"timeout": strconv.Itoa(int(wait / time.Second)), "limit": strconv.Itoa(limit), "allowed_updates": object(allowed),
	}
	if p.offset != 0 {
		params["offset"] = strconv.FormatInt(p.offset, 10)
	}
	ctx, cancel := context.WithTimeout(ctx, wait+callTime)
	defer cancel()
	var raws []json.RawMessage
	confirms := p.offset != p.asked
	if confirms {
		fault.Point("telegram.confirm.before")
	}
	if e := p.a.call(ctx, "getUpdates", params, &raws); e != nil {
		return nil, e
	}
	if confirms {
		fault.Point("telegram.confirm.after")
	}
	p.asked = p.offset
	return raws, nil
}

// confirm tells Telegram, before the end, what was handled since the last poll.
func (p *poller) confirm(ctx context.Context) {
	if p.offset == p.asked {
		return
	}
	if _, err := p.get(ctx, 0, 1); err != nil {
		p.a.log.Info("the last updates could not be confirmed; they come again", "err", err)
	}
}

// take hands one update to the office. Without an error it may be confirmed.
func (p *poller) take(u update) error {
	p.forget()
	if p.handled[u.ID] {
		p.keep(u.ID)
		return nil
	}
	return p.took(u.ID, p.handle(u))
}

// took is the end of an update that was handed to the office.
func (p *poller) took(id int64, err error) error {
	if err != nil && !p.giveUp(id, err) {
		return errors.Join(errNotKept, err)
	}
	p.keep(id)
	return nil
}

// keep notes that an update may be confirmed.
func (p *poller) keep(id int64) {
	p.handled[id] = true
	p.next, p.last = max(p.next, id+1), p.a.now()
	p.settle()
}

// forget makes room among the updates that are remembered.
func (p *poller) forget() {
	if p.handled == nil || len(p.handled) >= handledMost {
		p.handled = map[int64]bool{}
	}
}

// giveUp says whether an update that cannot be kept is at fault itself: the office
// takes other things in.
func (p *poller) giveUp(id int64, cause error) bool {
	if !p.failures.Hopeless(p.work, p.a.attached(), platform, strconv.FormatInt(id, 10)) {
		return false
	}
	p.a.log.Error("an update is given up: the office cannot take it in", "update", id, "err", p.a.scrub.Error(cause))
	return true
}

// handle carries one update out.
func (p *poller) handle(u update) error {
	var m message
	return p.safely(u.ID, &m, func() error {
		switch {
		case len(u.Message) > 0 && decode(u.Message, &m) == nil:
			if m.Album != "" && p.gather(u.ID, &m) {
				return nil
			}
			return p.a.said(p.work, &m)
		case len(u.Edited) > 0 && decode(u.Edited, &m) == nil:
			return p.a.edited(p.work, &m, u.ID)
		case len(u.Callback) > 0:
			var c callback
			if decode(u.Callback, &c) == nil {
				return p.a.pressed(p.work, &c)
			}
		case len(u.Member) > 0:
			var c membership
			if decode(u.Member, &c) == nil {
				return p.a.member(p.work, &c)
			}
		}
		p.a.log.Debug("an update of Telegram's is of no kind that we know", "update", u.ID)
		return nil
	})
}

// safely carries one update out. A panic ends it alone, and its sender is told.
func (p *poller) safely(id int64, m *message, do func() error) (err error) {
	bridge.Job{
		What:   "update " + strconv.FormatInt(id, 10),
		Run:    func() { err = do() },
		Failed: func() { p.a.apologise(m) },
	}.Do(p.a.log.With("platform", platform))
	return err
}

// decode reads an object; a field of an unexpected type is as good as absent, so
// that one odd field does not cost the whole update.
func decode(raw json.RawMessage, into any) error {
	err := json.Unmarshal(raw, into)
	var odd *json.UnmarshalTypeError
	if errors.As(err, &odd) && odd.Field != "" {
		return nil
	}
	return err
}
