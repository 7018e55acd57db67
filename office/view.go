package office

import (
	"context"
	"slices"
	"time"

	"bullpen/office/wake"
)

// Activity says how busy the office is.
type Activity struct {
	Running int   // open turns
	Ready   int   // colleagues with mail that nothing holds, waiting for a slot
	Last    int64 // the newest message's No
}

// Idle says that nobody has anything to do. Held mail does not count.
func (a Activity) Idle() bool { return a.Running == 0 && a.Ready == 0 }

// Activity looks at what is going on.
func (o *Office) Activity(ctx context.Context) (Activity, error) {
	return look(ctx, o, func(s *State) Activity {
		d := decision{s: s, now: o.now()}
		a := Activity{Running: len(s.Turns), Last: s.Meta.Message}
		for _, id := range s.staff() {
			if s.running[id] == nil && (s.Colleagues[id].Onboard || d.firstReady(id) != nil) {
				a.Ready++
			}
		}
		return a
	})
}

// Untaken says whether somebody whom a message woke has not been given it yet.
func (o *Office) Untaken(ctx context.Context, rec Receipt) (bool, error) {
	return look(ctx, o, func(s *State) bool {
		return slices.ContainsFunc(rec.Deliveries, func(d Delivery) bool {
			return slices.ContainsFunc(s.queues[ColleagueID(d.To)], func(it *Item) bool { return it.Message == rec.Anchor })
		})
	})
}

// Changed is closed when a message is taken in, a turn begins or ends, or the
// office closes, the next time after the call: whoever takes it before looking at
// the Activity misses nothing.
func (o *Office) Changed() <-chan struct{} { return o.feed.watch() }

// ColleagueView is a colleague as the roster shows it.
type ColleagueView struct {
	Colleague
	Standing
	Waiting int  // deliveries queued or held
	Tools   int  // how many it holds; 0 where nobody counts them
	Quieted bool // its do-not-disturb holds now
	// Shown is all that the roster tells of it, on one line, without name and role.
	Shown string
}

// View is the office as a viewer sees it.
type View struct {
	Name        string
	Description string
	// Env are the variables of all colleagues, as office.yaml has them.
	Env        map[string]string
	Pause      Pause
	Silence    Silence
	Colleagues []ColleagueView // in the order of declaration
	// Boss is the boss, nil where there is none; BossFor are those for whom it works.
	Boss     *ColleagueView
	BossFor  []PersonID
	Channels []Channel // general first, then by name; direct channels and mailboxes after
	People   []Person
	Names    *wake.Directory // tells tokens of wakes
	Zone     *time.Location  // the office's
	// Notes say that the office is paused, or that wakes are off, since when and by whom.
	Notes []string
}

// View copies the roster, the channels and the people.
func (o *Office) View(ctx context.Context) (View, error) {
	var tools func(*Colleague) int
	if r, ok := o.runner.(ToolCounter); ok {
		tools = r.CountTools
	}
	v, err := look(ctx, o, func(s *State) View { return s.view(o.now(), tools) })
	slices.SortStableFunc(v.Channels, func(a, b Channel) int { return rankOf(a.Kind) - rankOf(b.Kind) })
	return v, err
}

func (s *State) view(now time.Time, tools func(*Colleague) int) View {
	d := decision{s: s, now: now}
	v := View{Name: s.Setup.Name, Description: s.Setup.Description, Env: s.Setup.Env, Pause: s.Meta.Pause, Silence: s.Meta.Silence, Names: s.directory(), Zone: s.location(), Notes: s.notes()}
	for _, id := range s.roster {
		c := s.Colleagues[id]
		m := ColleagueView{Colleague: *c, Standing: d.standing(c), Waiting: len(s.queues[id]), Quieted: d.quietNow(c), Shown: d.shown(c, tools)}
		if tools != nil {
			m.Tools = tools(c)
		}
		v.Colleagues = append(v.Colleagues, m)
	}
	if c := s.boss(); c != nil && s.Setup.Boss != nil {
		v.Boss = &ColleagueView{Colleague: *c, Standing: d.standing(c), Waiting: len(s.queues[c.ID])}
		v.BossFor = slices.Clone(s.Setup.Boss.People)
	}
	for _, id := range keys(s.Channels) {
		if s.Channels[id].Gone {
			continue
		}
		v.Channels = append(v.Channels, *s.Channels[id])
	}
	for _, id := range keys(s.People) {
		v.People = append(v.People, *s.People[id])
	}
	return v
}

func rankOf(k ChannelKind) int {
	return slices.Index([]ChannelKind{GeneralChannel, GroupChannel, DirectChannel, MailboxChannel}, k)
}

// Cursor is up to which message a viewer has shown; 0 if it never said.
func (o *Office) Cursor(ctx context.Context, viewer string) (int64, error) {
	return look(ctx, o, func(s *State) int64 { return s.Cursors[viewer] })
}

// SetCursor remembers up to which message a viewer has shown. It never moves back.
func (o *Office) SetCursor(ctx context.Context, viewer string, no int64) error {
	_, err := o.do(ctx, setCursor{viewer, no})
	return err
}

type setCursor struct {
	viewer string
	no     int64
}

func (r setCursor) decide(d *decision) (any, error) {
	if r.no > d.s.Cursors[r.viewer] {
		d.put(PutCursor{Viewer: r.viewer, No: r.no})
	}
	return nil, nil
}
