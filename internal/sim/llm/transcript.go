package llm

import (
	"context"
	"fmt"
	"slices"
)

// Requests are the requests that arrived, refused ones too, oldest first, as far
// as Options.Keep goes.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.kept)
}

// Total is how many requests have arrived.
func (s *Server) Total() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.total
}

// Wait returns the n-th request, counted from 1, as soon as it has arrived. It
// fails when ctx ends first, or when the request is no longer kept.
func (s *Server) Wait(ctx context.Context, n int) (Request, error) {
	for {
		s.mu.Lock()
		total, arrived := s.total, s.arrived
		if total >= n {
			i := len(s.kept) - (total - n) - 1
			defer s.mu.Unlock()
			if n < 1 || i < 0 {
				return Request{}, fmt.Errorf("llm: request %d is no longer kept: raise Options.Keep", n)
			}
			return s.kept[i], nil
		}
		s.mu.Unlock()
		select {
		case <-arrived:
		case <-ctx.Done():
			return Request{}, fmt.Errorf("llm: waiting for request %d, %d arrived: %w", n, total, ctx.Err())
		}
	}
}

// take records a request and, when it was accepted, chooses its reply.
func (s *Server) take(req *Request, ref *refusal) Reply {
	s.mu.Lock()
	s.total++
	if ref == nil {
		s.accepted++
		req.N = s.accepted
	} else {
		req.Refused = ref.message
	}
	s.keep(req)
	close(s.arrived)
	s.arrived = make(chan struct{})
	if ref != nil {
		s.mu.Unlock()
		return Reply{}
	}
	choose := s.choose(req)
	s.mu.Unlock()
	return choose(req) // outside the lock: it is the caller's code
}

func (s *Server) keep(req *Request) {
	if s.opts.Keep < 0 {
		return
	}
	if len(s.kept) >= s.opts.Keep {
		s.kept = slices.Delete(s.kept, 0, len(s.kept)-s.opts.Keep+1)
	}
	s.kept = append(s.kept, *req)
}
