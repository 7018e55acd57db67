package bridge

import "context"

// Adapter is the code for one platform.
type Adapter interface {
	// Platform names the platform: console, slack.
	Platform() string
	// Run connects and hands every event to the bridge until ctx ends or the
	// person at the console leaves; both are no error. An error says in a
	// sentence why this platform cannot be served; the rest of the office runs on.
	Run(ctx context.Context, b *Bridge) error
}

// Unmendable is an error that waiting cannot mend: a sentence that tells a person
// what does.
type Unmendable string

// Error is the sentence.
func (e Unmendable) Error() string { return string(e) }
