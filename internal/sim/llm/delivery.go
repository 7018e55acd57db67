package llm

import (
	"bytes"
	"context"
	"net/http"
)

// delivery writes one reply.
type delivery struct {
	w      http.ResponseWriter
	ctx    context.Context
	closed <-chan struct{}
	req    *Request
	reply  Reply
	whole  bool
}

func (d *delivery) run() {
	if !d.wait(d.reply.until) {
		return
	}
	if d.reply.hang {
		d.wait(make(chan struct{}))
		return
	}
	for name, values := range d.reply.header {
		d.w.Header()[name] = values
	}
	d.w.Header().Set("X-Request-Id", nextID("req_"))
	switch {
	case d.reply.status != 0 || d.reply.raw:
		d.contentType("application/json")
		d.w.WriteHeader(max(d.reply.status, http.StatusOK))
		d.write([]byte(d.reply.body), d.cutPoint(-1))
	case d.whole:
		d.contentType("application/json")
		d.write(d.reply.whole(d.req), d.cutPoint(-1))
	default:
		d.contentType("text/event-stream")
		d.stream()
	}
}

// stream writes the events at once as far as nothing holds them up: a flush for
// each would cost more than all the rest.
func (d *delivery) stream() {
	events, inArgs := d.reply.events(d.req)
	cut := d.cutPoint(inArgs)
	written := 0
	for _, p := range d.reply.pauses {
		if p.at-written >= len(events) || p.at < written {
			break
		}
		head := bytes.Join(events[:p.at-written], nil)
		if cut >= 0 && cut <= len(head) {
			d.write(head, cut)
			return
		}
		_, _ = d.w.Write(head)
		d.flush()
		if !d.wait(p.ch) {
			return
		}
		if cut >= 0 {
			cut -= len(head)
		}
		events, written = events[p.at-written:], p.at
	}
	d.write(bytes.Join(events, nil), cut)
}

// cutPoint is the byte of the body at which to cut, -1 for nowhere.
func (d *delivery) cutPoint(inArgs int) int {
	switch {
	case d.reply.cutArgs:
		return inArgs
	case d.reply.cutSet:
		return d.reply.cut
	}
	return -1
}

func (d *delivery) write(body []byte, cut int) {
	if cut < 0 || cut >= len(body) {
		_, _ = d.w.Write(body)
		return
	}
	_, _ = d.w.Write(body[:cut])
	if d.reply.tidy {
		return
	}
	d.flush()
	// net/http's way to break a connection off: the client sees it end inside
	// the body. The server recovers it.
	panic(http.ErrAbortHandler)
}

// wait reports whether ch opened before the client left or the server closed.
func (d *delivery) wait(ch <-chan struct{}) bool {
	if ch == nil {
		return true
	}
	select {
	case <-ch:
		return true
	case <-d.ctx.Done():
		return false
	case <-d.closed:
		return false
	}
}

func (d *delivery) flush() { _ = http.NewResponseController(d.w).Flush() }

func (d *delivery) contentType(kind string) {
	if d.w.Header().Get("Content-Type") == "" {
		d.w.Header().Set("Content-Type", kind)
	}
}
