package bridge

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"bullpen/bridge/command"
	"bullpen/office"
)

// Order is a command as somebody gave it on a platform. It has been acknowledged
// there already.
type Order struct {
	Author Author
	Way    command.Way
	// Place is the platform's id of where it was given; Direct, that it is a talk
	// with the office's bot.
	Place  string
	Direct bool
	// Event identifies it on its platform, so that it is carried out once however
	// often it is delivered.
	Event string

	// One of these says what is wanted: a line as it was typed, a command with
	// arguments by their names, or the value of a button of an earlier reply.
	Line    string
	Command *command.Command
	Args    map[string]string
	Value   string
}

// Reply answers an order, to who gave it alone.
type Reply struct {
	// Again says that the order had been carried out before: there is nothing to say.
	Again bool
	Text  string
	// Choices are buttons below the text. Their values, of at most ChoiceSize
	// bytes, come back as an Order's.
	Choices []command.Choice
	// Form asks for arguments, where the platform can show one; Text and Choices
	// say the same where it cannot.
	Form *Form
}

// Form is a command some of whose arguments are still to be given.
type Form struct {
	Command *command.Command
	Values  map[string]string
}

const (
	// ChoiceSize bounds the value of a choice in bytes: Telegram takes 64.
	ChoiceSize = 64
	// choicePrefix begins the values of choices.
	choicePrefix = "order:"
	// choiceLife is how long a reply's buttons can be pressed, choicesMost how many
	// replies are remembered.
	choiceLife  = 15 * time.Minute
	choicesMost = 500
)

// IsChoice says whether a button's value is that of a reply's choice.
func IsChoice(value string) bool { return strings.HasPrefix(value, choicePrefix) }

// open is a reply whose buttons can be pressed.
type open struct {
	by      Account
	at      time.Time
	confirm *command.Confirm
	// of a choice of an argument:
	cmd     *command.Command
	values  map[string]string
	arg     string
	choices []command.Choice
}

// opens are the replies with buttons. The zero value is ready.
type opens struct {
	mu  sync.Mutex
	all map[string]open
}

// add remembers a reply and gives the beginning of its buttons' values.
func (o *opens) add(x open) string {
	token := rand.Text()
	o.mu.Lock()
	defer o.mu.Unlock()
	for t, old := range o.all {
		if x.at.Sub(old.at) > choiceLife {
			delete(o.all, t)
		}
	}
	if o.all == nil || len(o.all) >= choicesMost {
		o.all = map[string]open{}
	}
	o.all[token] = x
	return choicePrefix + token + ":"
}

// take gives the reply of a button that its own reader pressed; its buttons are
// used up then.
func (o *opens) take(value string, by Account, now time.Time) (x open, pick string, err error) {
	token, pick, _ := strings.Cut(strings.TrimPrefix(value, choicePrefix), ":")
	o.mu.Lock()
	defer o.mu.Unlock()
	x, ok := o.all[token]
	switch {
	case !ok || now.Sub(x.at) > choiceLife:
		return x, "", errors.New("this button has lapsed; type the command again")
	case x.by != by:
		return x, "", errors.New("this button is for who gave the command")
	}
	delete(o.all, token)
	return x, pick, nil
}

// isOf says whether a button is for somebody: not if it is another's.
func (o *opens) isOf(value string, by Account) bool {
	token, _, _ := strings.Cut(strings.TrimPrefix(value, choicePrefix), ":")
	o.mu.Lock()
	defer o.mu.Unlock()
	x, ok := o.all[token]
	return !ok || x.by == by
}

// NotYours is what somebody is told who presses another's button.
const NotYours = "This button is for who gave the command."

// MayChoose says at once, without a look at the office, whether a choice's button
// is for who pressed it.
func (b *Bridge) MayChoose(by Account, value string) bool { return b.opens.isOf(value, by) }

// Order carries a command out. The error means that nothing is known of it: the
// office cannot take it in now. A refusal is a reply.
func (b *Bridge) Order(ctx context.Context, o Order) (Reply, error) {
	who, sender, err := b.sender(ctx, o)
	if err != nil {
		return Reply{}, err
	}
	event := ""
	if o.Event != "" {
		event = o.Author.Platform + " command " + o.Event
	}
	var r Reply
	again, err := b.exactly(ctx, event, func(ctx context.Context) (err error) {
		r, err = b.obey(ctx, o, who, sender)
		return err
	})
	if again || err != nil {
		return Reply{Again: again}, err
	}
	return r, nil
}

// obey carries out an order of a person.
func (b *Bridge) obey(ctx context.Context, o Order, who office.Person, sender command.Sender) (Reply, error) {
	call, err := b.call(ctx, o, who, sender)
	if err != nil {
		return Reply{}, err
	}
	var ans command.Answer
	switch {
	case o.Value != "":
		return b.pressed(ctx, o, call)
	case o.Command != nil:
		ans, err = b.commands.RunTyped(ctx, call, o.Command, o.Args)
	default:
		ans, err = b.commands.Run(ctx, call, o.Line)
	}
	return b.reply(ctx, o, call, ans, err), nil
}

// pressed goes on with an order that waited for a button.
func (b *Bridge) pressed(ctx context.Context, o Order, call command.Call) (Reply, error) {
	x, pick, err := b.opens.take(o.Value, o.Author.Account, time.Now())
	if err != nil {
		return Reply{Text: sentence(err)}, nil
	}
	if x.confirm != nil {
		if pick != "yes" {
			return Reply{Text: "Nothing was done."}, nil
		}
		call.Yes, call.Shown = true, x.confirm.Shown
		ans, err := b.commands.RunTyped(ctx, call, x.confirm.Command, x.confirm.Values)
		return b.reply(ctx, o, call, ans, err), nil
	}
	n, err := strconv.Atoi(pick)
	if err != nil || n < 0 || n >= len(x.choices) {
		return Reply{Text: "This button has lapsed; type the command again."}, nil
	}
	values := map[string]string{x.arg: x.choices[n].Value}
	for name, v := range x.values {
		if name != x.arg {
			values[name] = v
		}
	}
	ans, err := b.commands.RunTyped(ctx, call, x.cmd, values)
	return b.reply(ctx, o, call, ans, err), nil
}

// reply makes a reply of what a command said: with buttons where it asks.
func (b *Bridge) reply(ctx context.Context, o Order, call command.Call, ans command.Answer, err error) Reply {
	var missing *command.Missing
	switch {
	case errors.As(err, &missing):
		r := Reply{Text: sentence(err), Form: &Form{Command: missing.Command, Values: missing.Values}}
		all, err := b.commands.Complete(ctx, call, missing.Command, missing.Arg.Name, "")
		if err != nil || len(all) == 0 {
			return r
		}
		begin := b.opens.add(open{
			by: o.Author.Account, at: time.Now(), cmd: missing.Command, values: missing.Values, arg: missing.Arg.Name, choices: all,
		})
		for i, c := range all {
			r.Choices = append(r.Choices, command.Choice{Value: begin + strconv.Itoa(i), Label: c.Shown()})
		}
		return r
	case err != nil:
		return Reply{Text: sentence(err)}
	case ans.Confirm != nil:
		begin := b.opens.add(open{by: o.Author.Account, at: time.Now(), confirm: ans.Confirm})
		return Reply{Text: ans.Text, Choices: []command.Choice{{Value: begin + "yes", Label: "Do it"}, {Value: begin + "no", Label: "Leave it"}}}
	case ans.Text == "":
		return Reply{Text: "Done."}
	default:
		return Reply{Text: ans.Text}
	}
}

// sentence is an error as a person reads it.
func sentence(err error) string {
	s := err.Error()
	if s == "" {
		return s
	}
	s = strings.ToUpper(s[:1]) + s[1:]
	if !strings.HasSuffix(s, ".") && !strings.HasSuffix(s, "?") {
		s += "."
	}
	return s
}

// sender finds out who gives an order, as far as rights go.
func (b *Bridge) sender(ctx context.Context, o Order) (office.Person, command.Sender, error) {
	a := office.Account(o.Author.Account)
	if o.Author.Account == ConsoleAccount {
		p, err := b.office.Owner(ctx)
		return p, command.OwnerSender, err
	}
	if o.Author.Bot {
		return office.Person{}, command.Bot, nil
	}
	if o.Author.Gone {
		return office.Person{}, command.Gone, nil
	}
	p, known, err := b.office.PersonBy(ctx, a)
	switch {
	case err != nil:
		return p, "", err
	case !known && o.Author.Full && b.welcomes(ctx, o):
		p, err := b.office.Welcome(ctx, a, o.Author.Name)
		return p, command.PersonSender, err
	case !known:
		return p, command.Stranger, nil
	case !o.Author.Full && !b.listed(p, a):
		return p, command.Guest, nil
	}
	return p, rankOf(p), nil
}

// welcomes says whether the rules of an order's place let every full member talk.
func (b *Bridge) welcomes(ctx context.Context, o Order) bool {
	rule := b.access[o.Author.Platform]
	if o.Direct {
		return rule.DM == DMOpen
	}
	_, linked, err := b.office.Portal(ctx, portalID(o.Author.Platform, o.Place))
	return err == nil && linked && (rule.Talk == TalkMembers || rule.Talk == "")
}

func rankOf(p office.Person) command.Sender {
	switch {
	case p.Owner:
		return command.OwnerSender
	case p.Admin:
		return command.AdminSender
	default:
		return command.PersonSender
	}
}

// call makes the call of an order.
func (b *Bridge) call(ctx context.Context, o Order, who office.Person, sender command.Sender) (command.Call, error) {
	at := &command.Place{Label: "here"}
	id := portalID(o.Author.Platform, o.Place)
	if o.Place != "" {
		p, ok, err := b.office.Portal(ctx, id)
		if err != nil {
			return command.Call{}, err
		}
		if ok {
			at.Channel, at.To = p.Channel, p.Partner
		}
		if at.Channel != "" {
			at.Label = "#" + string(at.Channel)
		}
	}
	if o.Direct && at.To == "" {
		desk, err := b.office.FrontDesk(ctx)
		if err != nil {
			return command.Call{}, err
		}
		at.To = desk
	}
	c := b.newCall(who, sender, o.Way, o.Author.Platform)
	c.Portal, c.Spot, c.Direct, c.Event, c.Place = id, o.Place, o.Direct, o.Event, at
	return c, nil
}

func (b *Bridge) newCall(who office.Person, sender command.Sender, way command.Way, from string) command.Call {
	return command.Call{Office: b.office, Person: who, Sender: sender, Way: way, From: from, Connections: b.Connections, Premises: b.premises, Build: b.build, Link: b.link, Unlink: b.unlink}
}

// Choices lists what an argument may be, for a platform that offers them while
// somebody types; nothing for who may not use the command.
func (b *Bridge) Choices(ctx context.Context, o Order, arg, typed string) ([]command.Choice, error) {
	who, sender, err := b.sender(ctx, o)
	if err != nil {
		return nil, err
	}
	call, err := b.call(ctx, o, who, sender)
	if err != nil || o.Command == nil {
		return nil, err
	}
	return b.commands.Complete(ctx, call, o.Command, arg, typed)
}

// Offers lists all that an argument may be, for a form; nothing where anything may
// stand. Whether somebody may choose it is decided when they do.
func (b *Bridge) Offers(ctx context.Context, arg command.Arg) []command.Choice {
	all, err := b.commands.Offers(ctx, b.newCall(office.Person{}, command.OwnerSender, command.ByButton, ""), arg)
	if err != nil {
		return nil // a form without a list to choose from serves as well
	}
	return all
}

// CompleteLine lists what may stand at the end of a line that an account types,
// and where in the line that begins.
func (b *Bridge) CompleteLine(ctx context.Context, by Account, way command.Way, line string) (start int, all []command.Choice, err error) {
	who, err := b.person(ctx, by)
	if err != nil {
		return 0, nil, err
	}
	return b.commands.CompleteLine(ctx, b.newCall(who, rankOf(who), way, by.Platform), line)
}

// Shell runs the words of a command line in the office's folder: whoever can
// reach it there is the owner.
func (b *Bridge) Shell(ctx context.Context, words []string, confirmed bool) (command.Answer, error) {
	who, err := b.office.Owner(ctx)
	if err != nil {
		return command.Answer{}, fmt.Errorf("the command line speaks for the owner: %w", err)
	}
	call := b.newCall(who, command.OwnerSender, command.ByShell, command.Shell)
	call.Yes = confirmed
	return b.commands.RunWords(ctx, call, words)
}

// Furnish tells commands of the process around the office.
func (b *Bridge) Furnish(p command.Premises) { b.premises = p }
