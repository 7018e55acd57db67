package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
)

// source is a platform as the feed sees it.
type source interface {
	Changed() <-chan struct{} // closed at the next change
	places() []place
	reaction(name string) string // as it is printed
	names(users []string) string // of who has reacted
	deletions() bool             // whether a message that is gone is worth a line
}

// place is a channel, thread or chat with what there is to see in it, oldest first.
type place struct {
	id, name string
	items    []item
}

// item is a message.
type item struct {
	id        string
	line      string              // it is printed so
	same      string              // and again when this is another
	reactions map[string][]string // who, by reaction
}

// feed prints what is new on a platform: messages, changes, reactions, deletions.
type feed struct {
	src source
	out io.Writer

	mu    sync.Mutex
	shown map[string]map[string]item // by place and message, as printed
}

func newFeed(src source, out io.Writer) *feed {
	return &feed{src: src, out: out, shown: map[string]map[string]item{}}
}

// run prints until stop is closed.
func (f *feed) run(stop <-chan struct{}) {
	for {
		next := f.src.Changed()
		f.print()
		select {
		case <-next:
		case <-stop:
			return
		}
	}
}

// print prints what happened since it was last called.
func (f *feed) print() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, p := range f.src.places() {
		before, now := f.shown[p.id], map[string]item{}
		for _, m := range p.items {
			now[m.id] = m
			old, known := before[m.id]
			f.difference(p.name, old, m, known)
		}
		for _, gone := range slices.Sorted(maps.Keys(before)) {
			if _, there := now[gone]; !there && f.src.deletions() {
				fmt.Fprintln(f.out, p.name, gone, "(deleted)")
			}
		}
		f.shown[p.id] = now
	}
}

func (f *feed) difference(place string, old, m item, known bool) {
	if !known || old.same != m.same {
		fmt.Fprintln(f.out, m.line)
	}
	for _, name := range slices.Sorted(maps.Keys(m.reactions)) {
		if by := m.reactions[name]; len(by) > len(old.reactions[name]) {
			fmt.Fprintln(f.out, place, m.id, f.src.reaction(name), "by", f.src.names(by))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(old.reactions)) {
		if len(m.reactions[name]) < len(old.reactions[name]) {
			fmt.Fprintln(f.out, place, m.id, f.src.reaction(name), "taken back")
		}
	}
}
