package telegram

import (
	"errors"
	"sync"
)

// errBehind says that an update was left alone since one before it in its chat failed.
var errBehind = errors.New("what came before it in its chat could not be kept")

// remark is a message that waits for nothing and belongs to no album.
type remark struct {
	update int64
	m      message
}

// takeAll hands updates to the office. What people wrote in different chats goes in at
// the same time, so that it shares commits; that of one chat goes in order, and all
// else when everything before it is in.
func (p *poller) takeAll(us []update) error {
	for len(us) > 0 {
		talk := p.talk(us)
		if len(talk) < 2 {
			if err := p.take(us[0]); err != nil {
				return err
			}
			us = us[1:]
			continue
		}
		if err := p.takeTogether(talk); err != nil {
			return err
		}
		us = us[len(talk):]
	}
	return nil
}

// talk are the updates at the front that are plain messages.
func (p *poller) talk(us []update) (out []remark) {
	p.forget()
	for _, u := range us {
		x := remark{update: u.ID}
		if len(u.Message) == 0 || p.handled[u.ID] || decode(u.Message, &x.m) != nil || x.m.Album != "" {
			break
		}
		out = append(out, x)
	}
	return out
}

// takeTogether takes messages in, those of each chat on a goroutine of its own. Of
// what fails, the first in order is told; what was kept is not taken in again.
func (p *poller) takeTogether(talk []remark) error {
	ends := make([]error, len(talk))
	chats := map[int64][]int{}
	for i := range talk {
		chats[talk[i].m.Chat.ID] = append(chats[talk[i].m.Chat.ID], i)
	}
	var work sync.WaitGroup
	for _, of := range chats {
		work.Go(func() {
			var failed error
			for _, i := range of {
				if ends[i] = failed; failed != nil {
					continue
				}
				x := &talk[i]
				if ends[i] = p.safely(x.update, &x.m, func() error { return p.a.said(p.work, &x.m) }); ends[i] != nil {
					failed = errBehind
				}
			}
		})
	}
	work.Wait()
	for i, x := range talk {
		p.handled[x.update] = ends[i] == nil
	}
	for i, x := range talk {
		if errors.Is(ends[i], errBehind) {
			return errors.Join(errNotKept, ends[i])
		}
		if err := p.took(x.update, ends[i]); err != nil {
			return err
		}
	}
	return nil
}
