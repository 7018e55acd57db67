package command

import "context"

var _ = add(Command{
	Name: "quit", Group: About, Only: []string{Console},
	Help: "Leave; turns in progress go on the next time the office runs.",
	Run:  func(context.Context, Call) (Answer, error) { return Answer{Quit: true}, nil },
})
