package discord

import (
	"fmt"
	"net/http"
	"time"

	"bullpen/bridge"
)

// The error codes that decide something (topics/opcodes-and-status-codes, JSON
// error codes).
const (
	unknownChannel     = 10003
	unknownGuild       = 10004
	unknownMessage     = 10008
	unknownWebhook     = 10015
	tooManyWebhooks    = 30007
	alreadyAnswered    = 40060
	missingAccess      = 50001
	missingPermissions = 50013
	badWebhookToken    = 50027
	threadExists       = 160004
	archivedThread     = 50083
)

const (
	// blockedFor is how long nothing is sent with a token that is not accepted, or
	// through something in between that turns us away.
	blockedFor = 15 * time.Second
	turnedAway = time.Minute
)

// refusals are what Discord says no with, what mends it, and whether nothing at
// all can be shown in the place until then.
var refusals = map[int]struct {
	means  string
	closed bool
}{
	unknownChannel:     {"the channel is gone: link another", true},
	unknownGuild:       {"the bot is no longer on the server: invite it again", true},
	missingAccess:      {"the bot may not see the channel: give it the right View Channel there", true},
	missingPermissions: {"the bot may not write there: give it the rights Send Messages and Send Messages in Threads", true},
	unknownUser:        {"the account was deleted", true},
	50007:              {"the person takes no direct messages from the bot: they have to allow those of the server's members (server menu, Privacy Settings), or to unblock it", true},
	50278:              {"the person shares no server with the bot any more", true},
	50033:              {"Discord knows no such person", true},
	archivedThread:     {"the thread is archived and cannot be opened again by the bot: open it, or give the bot the right Manage Threads", false},
	160005:             {"the thread is locked: unlock it, or write in another", false},
	160006:             {"the server has as many open threads as there may be: close some", false},
	40005:              {"it is larger than Discord takes", false},
	40067:              {"the forum wants a tag on each post: lift that in its settings", false},
	50006:              {"there is nothing to see in it", false},
	50008:              {"nothing can be written in a channel of this kind: link a text channel", true},
	50024:              {"that cannot be done in a channel of this kind", false},
	200000:             {"the server's AutoMod blocked it", false},
	200001:             {"the server's AutoMod blocked its title", false},
}

// refusal explains a final no, and says whether nothing at all can be shown there.
func refusal(e *callError) (reason string, closed bool) {
	if r, ok := refusals[e.code]; ok {
		return fmt.Sprintf("%s (%d)", r.means, e.code), r.closed
	}
	return "Discord refused it: " + e.err.Error(), false
}

// postError says what a failed call means for what was to be shown. told says that
// the call was the one that shows it, and not one before it.
func (a *Adapter) postError(e *callError, told bool) *bridge.PostError {
	failed := &bridge.PostError{Kind: bridge.PostNotSent, Reason: "Discord cannot be reached", Err: e}
	if stop := tokenFault(e); stop != nil {
		a.die(stop)
		failed.After, failed.Reason = blockedFor, "Discord does not accept the bot's token"
		return failed
	}
	switch {
	case e.status == http.StatusGone:
		failed.Kind, failed.Reason = bridge.PostRefused, "the file is no longer here"
	case e.limited:
		failed.After, failed.Reason = e.after, "Discord asks to wait"
	case e.answered() && e.code == 0 && e.status == http.StatusForbidden:
		// Not Discord's own answer: something before it turns us away.
		failed.After, failed.Reason = turnedAway, "something between us and Discord refuses our calls"
	case e.answered():
		failed.Kind = bridge.PostRefused
		failed.Reason, failed.Closed = refusal(e)
	case e.reached && told:
		failed.Kind, failed.Reason = bridge.PostUnknown, "it is not known whether Discord took it"
	}
	return failed
}
