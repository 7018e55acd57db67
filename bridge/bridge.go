package bridge

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"bullpen/bridge/command"
	"bullpen/office"
)

// Bridge joins one office to its adapters. It is safe for concurrent use once
// the office is attached.
type Bridge struct {
	office   *office.Office
	commands *command.Set
	// key begins the keys of what this office sends, so that two offices in one
	// place never take each other's messages for their own.
	key     string
	posters map[string]Poster
	access  map[string]Access
	recalls map[string]*once // see Recall
	refused Seldom[Account]  // were told lately why they may not talk
	marks   marks
	guesses guesses
	opens   opens
	mirrors mirrors
	pens    pens
	claims  claims
	// premises are set before the adapters run.
	premises command.Premises

	mu      sync.Mutex
	states  map[string]State
	remarks []string
	// notices wait for the person at the console.
	notices chan string
}

// noticeRoom is how many notices wait for somebody at the console; more are
// dropped, since each can be seen in the status as well.
const noticeRoom = 32

// New makes a bridge for the office with the given storage key. Adapters are
// added before the office is attached.
func New(id string, commands *command.Set) *Bridge {
	return &Bridge{
		commands: commands, key: id, posters: map[string]Poster{}, access: map[string]Access{}, recalls: map[string]*once{}, states: map[string]State{},
		notices: make(chan string, noticeRoom),
	}
}

// Add makes an adapter known whose platform is owed messages, with the rules of
// who may talk there.
func (b *Bridge) Add(p Poster, rules Access) {
	b.posters[p.Platform()] = p
	b.access[p.Platform()] = rules
	b.recalls[p.Platform()] = &once{}
}

// Attach joins the office. The office is opened with this bridge as its Sender.
func (b *Bridge) Attach(o *office.Office) { b.office = o }

// Notices gives what the person at the console has to know: a stranger who
// waits, a connection that stopped.
func (b *Bridge) Notices() <-chan string { return b.notices }

func (b *Bridge) notify(text string) {
	select {
	case b.notices <- text:
	default:
	}
}

// Notice tells the person at the console something about a platform that they
// should act on.
func (b *Bridge) Notice(text string) { b.notify(text) }

// Platforms are those that are owed messages, by name.
func (b *Bridge) Platforms() []string { return slices.Sorted(maps.Keys(b.posters)) }

func (b *Bridge) poster(platform string) Poster { return b.posters[platform] }

// Office is the office behind the bridge, for viewers.
func (b *Bridge) Office() *office.Office { return b.office }

// Commands are what people can type on every platform.
func (b *Bridge) Commands() *command.Set { return b.commands }

// Report says what a platform's connection is now. The same kind and sentence
// again is no news; one that stopped is shown to the person at the console.
func (b *Bridge) Report(platform string, kind StateKind, sentence string) {
	b.mu.Lock()
	old := b.states[platform]
	if old.Kind == kind && old.Sentence == sentence {
		b.mu.Unlock()
		return
	}
	b.states[platform] = State{Kind: kind, Sentence: sentence, Since: time.Now()}
	b.mu.Unlock()
	if kind == Stopped {
		b.notify(platform + ": " + sentence)
	}
}

// Remark adds a line to the status: something that is worth knowing of this
// process and does not change.
func (b *Bridge) Remark(line string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.remarks = append(b.remarks, line)
}

// Connections lists the states of all connections, a line each, and the remarks.
func (b *Bridge) Connections() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var lines []string
	for platform, s := range b.states {
		lines = append(lines, strings.TrimSuffix(fmt.Sprintf("%s: %s since %s; %s", platform, s.Kind, s.Since.UTC().Format(time.DateTime), s.Sentence), "; "))
	}
	slices.Sort(lines)
	return append(lines, b.remarks...)
}

// Handle takes in a message from the console. When it returns without error
// the message is durable; the receipt says what became of it.
func (b *Bridge) Handle(ctx context.Context, e Event) (office.Receipt, error) {
	who, err := b.person(ctx, e.Author)
	if err != nil {
		return office.Receipt{}, err
	}
	return b.office.Post(ctx, office.Post{
		Event: e.ID, Person: who.ID, Channel: e.Channel, To: e.To, Root: e.Root, ReplyTo: e.ReplyTo,
		Text: e.Text, Spans: e.Mentions,
	})
}

// Command runs one line of a command, without its slash, for whoever sits at the
// console and stands in a place; for other accounts there is [Bridge.Order].
func (b *Bridge) Command(ctx context.Context, by Account, at *command.Place, line string) (command.Answer, error) {
	who, err := b.person(ctx, by)
	if err == nil && by != ConsoleAccount {
		err = fmt.Errorf("the %s account %s does not sit at the console", by.Platform, by.ID)
	}
	if err != nil {
		return command.Answer{}, err
	}
	call := b.newCall(who, rankOf(who), command.ByConsole, by.Platform)
	call.Place = at
	return b.commands.Run(ctx, call, line)
}

// Status is what the office's status command says, for who keeps it in sight on a
// platform.
func (b *Bridge) Status(ctx context.Context, platform string) (string, error) {
	ans, err := b.commands.Run(ctx, b.newCall(office.Person{}, command.PersonSender, command.BySlash, platform), "status")
	return ans.Text, err
}

// ConsoleAccount is who sits at the terminal in which the office runs: whoever
// can start the program in the office's folder is its owner.
var ConsoleAccount = Account{Platform: "console", ID: "owner"}

// person finds the person behind an account.
func (b *Bridge) person(ctx context.Context, a Account) (office.Person, error) {
	if a == ConsoleAccount {
		return b.office.Owner(ctx)
	}
	p, ok, err := b.office.PersonBy(ctx, office.Account(a))
	if err != nil {
		return p, err
	}
	if !ok {
		return p, fmt.Errorf("nobody here is known by the %s account %s", a.Platform, a.ID)
	}
	return p, nil
}
