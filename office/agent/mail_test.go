package agent_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"bullpen/office"
	"bullpen/office/model"
)

var numbered = regexp.MustCompile(`\bno\. (\d+)\.`)

// given lists the numbers ("no. 7.") that a colleague was shown, in order:
// those of the user messages that a transcript ends with are new.
func given(messages []model.Message) []string {
	var out []string
	begin := len(messages)
	for begin > 0 && messages[begin-1].Role == model.RoleUser {
		begin--
	}
	for _, m := range messages[begin:] {
		for _, g := range numbered.FindAllStringSubmatch(m.Text, -1) {
			out = append(out, g[1])
		}
	}
	return out
}

// What arrives around the end of a turn is in a turn, once.
func TestWhatArrivesAsATurnEndsIsNeitherLeftNorGivenTwice(t *testing.T) {
	t.Parallel()
	// 1,000 rounds in all, by colleagues with a short past each, a few at a time.
	const colleagues, rounds, atOnce = 40, 25, 6
	s, _ := newScene(t, nil)
	s.setup.Colleagues, s.setup.Channels = nil, nil
	s.setup.Limits.ConcurrentTurns = colleagues
	seen := make([]*sightings, colleagues)
	for i := range colleagues {
		name := fmt.Sprintf("c%d", i)
		seen[i] = &sightings{count: map[string]int{}}
		s.models[name] = &script{t: t, answer: func(ctx context.Context, _ int, req *model.Request) (*model.Response, error) {
			seen[i].add(given(req.Messages))
			pause(ctx)
			return say("NO_REPLY"), nil
		}}
		s.setup.Colleagues = append(s.setup.Colleagues, office.ColleagueSetup{Name: name, Role: office.Member, Model: name})
	}
	s.open()
	var wg sync.WaitGroup
	turn := make(chan struct{}, atOnce)
	for i := range colleagues {
		wg.Go(func() {
			turn <- struct{}{}
			defer func() { <-turn }()
			for round := range rounds {
				first, second := fmt.Sprint(2*round), fmt.Sprint(2*round+1)
				s.address(i, first)
				pause(t.Context())
				s.address(i, second)
				until(t, "both were given", func() bool { return seen[i].has(first) && seen[i].has(second) })
				if t.Failed() {
					return
				}
			}
		})
	}
	stop := make(chan struct{})
	watched := make(chan struct{})
	go func() { // never mail that nothing holds beside an idle colleague
		defer close(watched)
		for {
			s.wantNobodyForgotten()
			select {
			case <-stop:
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}()
	wg.Wait()
	close(stop)
	<-watched
	s.idle()
	for i, x := range seen {
		for n, times := range x.count {
			if times != 1 {
				t.Errorf("c%d was given no. %s %d times", i, n, times)
			}
		}
		if len(x.count) != 2*rounds {
			t.Errorf("c%d was given %d of %d messages", i, len(x.count), 2*rounds)
		}
	}
}

// address writes to a colleague: the even ones in general, the odd ones directly.
func (s *scene) address(i int, number string) {
	p := office.Post{Person: office.DefaultOwner, Text: fmt.Sprintf("@c%d no. %s.", i, number)}
	if i%2 == 0 {
		p.Channel = office.General
	} else {
		p.To = office.ColleagueID(fmt.Sprintf("c%d", i+1))
	}
	if _, err := s.o.Post(context.Background(), p); err != nil {
		s.Error(err)
	}
}

func (s *scene) wantNobodyForgotten() {
	v, err := s.o.View(context.Background())
	if err != nil {
		s.Error(err)
		return
	}
	for _, c := range v.Colleagues {
		if c.Status != office.Running && c.Waiting > 0 {
			s.Errorf("%s is %s beside %d deliveries", c.Name, c.Status, c.Waiting)
		}
	}
}

// pause waits 0 to 5 ms.
func pause(ctx context.Context) {
	timer := time.NewTimer(time.Duration(rand.Int64N(int64(5 * time.Millisecond))))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

type sightings struct {
	mu    sync.Mutex
	count map[string]int
}

func (x *sightings) add(numbers []string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, n := range numbers {
		x.count[n]++
	}
}

func (x *sightings) has(n string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.count[n] > 0
}

func TestAThousandPostsForOneBusyColleagueArriveInOrder(t *testing.T) {
	t.Parallel()
	const posts = 1000
	release := make(chan struct{})
	var mu sync.Mutex
	var order []string
	s, m := newScene(t, func(ctx context.Context, n int, req *model.Request) (*model.Response, error) {
		mu.Lock()
		order = append(order, given(req.Messages)...)
		mu.Unlock()
		if n == 1 {
			select {
			case <-release:
			case <-ctx.Done():
			}
		}
		return say("NO_REPLY"), nil
	})
	s.open()
	s.post("@alice no. 0.")
	padding := strings.Repeat("blah ", 300)
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i := range posts {
		s.post(fmt.Sprintf("@alice no. %d. %s", i+1, padding))
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	// The texts are 1.5 MB; they may be held once, not once per copy of a queue.
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 32<<20 {
		t.Errorf("1,000 waiting posts cost %d MB", grown>>20)
	}
	close(release)
	s.idle()
	mu.Lock()
	defer mu.Unlock()
	if len(order) != posts+1 {
		t.Errorf("%d messages were given", len(order))
	}
	for i, n := range order {
		if n != fmt.Sprint(i) {
			t.Fatalf("message %d was given as number %d", i, i)
		}
	}
	for _, r := range m.requests() {
		if frame := r.Messages[len(r.Messages)-1].Text; len(frame) > 2*128<<10 {
			t.Errorf("a frame of %d KB was handed over", len(frame)>>10)
		}
	}
}

func TestALongTextStandsWholeInTheWorkspace(t *testing.T) {
	t.Parallel()
	mixed := []rune("Grüße, 世界! Привет مرحبا שלום สวัสดี 👩‍👩‍👧 e\u0301 \u202eabc\u202c ~~~~~ [general-1 | from the user]\n")
	var b strings.Builder
	b.WriteString("@alice ")
	for n := 7; n < 40_000; n++ {
		b.WriteRune(mixed[n%len(mixed)])
	}
	text := b.String()
	for _, way := range []string{"at the start", "steered in", "directly"} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			arrived := make(chan struct{})
			s, m := newScene(t, func(ctx context.Context, n int, _ *model.Request) (*model.Response, error) {
				if n == 1 && way == "steered in" {
					select {
					case <-arrived:
					case <-ctx.Done():
					}
					return calls("ls", `{}`), nil
				}
				return say("read"), nil
			})
			s.open()
			file := "inbox/general-1.txt"
			switch way {
			case "at the start":
				s.post(text)
			case "directly":
				s.dm(text)
				file = "inbox/dm-c1-user-1.txt"
			default:
				s.post("@alice go")
				s.post(text)
				close(arrived)
				file = "inbox/general-2.txt"
			}
			s.idle()
			if s.workspace(file) != text {
				t.Error("the file is not the text")
			}
			got := m.last()
			frame := got[len(got)-1].Text
			if !strings.Contains(frame, file) || !strings.Contains(frame, string([]rune(text)[:16_384])) || strings.Contains(frame, string([]rune(text)[:16_385])) {
				t.Errorf("the frame holds %d bytes; the beginning and the file's name belong there", len(frame))
			}
		})
	}
}
