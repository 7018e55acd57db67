package bridge

import (
	"context"
	"errors"
	"fmt"

	"bullpen/bridge/command"
	"bullpen/office"
)

// Linker is a Poster whose places can be linked while it runs.
type Linker interface {
	// Locate finds the place that office.yaml, or somebody, calls named, and looks
	// whether the channel can be shown there. The error is a sentence for who asked.
	Locate(ctx context.Context, ch office.ChannelID, named string) (Spot, error)
	// Settle takes over what office.yaml says by now: the channel is to be in a place;
	// an empty one: in none. The text is what else is to be known, mostly nothing.
	Settle(ch office.ChannelID, place string) (remark string)
	// Follow takes over all places that office.yaml names by now, and links and
	// unlinks what that changes in the background; it does not block.
	Follow(places map[office.ChannelID]string)
}

// Follow has a platform's adapter, if there is one, show the office's channels in
// these places and no others. It does not block.
func (b *Bridge) Follow(platform string, places map[office.ChannelID]string) {
	if linker, ok := b.poster(platform).(Linker); ok && b.office != nil {
		linker.Follow(places)
	}
}

// Spot is a place that can be linked.
type Spot struct {
	Place string // the platform's own id, as office.yaml has it
	// InThread and Strict are as with Portal.
	InThread, Strict bool
	// Mark is the place's newest message in the platform's terms: what is up to there
	// is never read in.
	Mark string
}

// link pairs a place with a channel: in office.yaml, in the record, and in the
// adapter that runs.
func (b *Bridge) link(ctx context.Context, l command.Link) (string, error) {
	linker, ok := b.poster(l.Platform).(Linker)
	if !ok {
		return "", noLinker(l.Platform)
	}
	at, err := linker.Locate(ctx, l.Channel, l.Place)
	if err != nil {
		return "", err
	}
	p := office.Portal{
		ID: portalID(l.Platform, at.Place), Platform: l.Platform, Place: at.Place, Kind: office.ChannelPortal,
		Channel: l.Channel, ReplyInThread: at.InThread, Strict: at.Strict, Mark: at.Mark,
	}
	said, err := b.office.LinkPlace(ctx, p, l.By, l.From)
	if err != nil {
		return "", err
	}
	remark := linker.Settle(l.Channel, at.Place)
	// An adapter that connected in between has unlinked what it did not know yet.
	return joined(said, remark), b.office.Link(context.WithoutCancel(ctx), p)
}

// unlink ends a pairing in the same three places.
func (b *Bridge) unlink(ctx context.Context, l command.Link) (string, error) {
	linker, ok := b.poster(l.Platform).(Linker)
	if !ok {
		return "", noLinker(l.Platform)
	}
	id := portalID(l.Platform, l.Place)
	said, err := b.office.UnlinkPlace(ctx, id, l.By, l.From)
	if err != nil {
		return "", err
	}
	remark := linker.Settle(l.Channel, "")
	_, err = b.office.Unlink(context.WithoutCancel(ctx), id)
	return joined(said, remark), err
}

func noLinker(platform string) error {
	if platform == "" {
		return errors.New("say on which platform the place is, like slack:#dev")
	}
	return fmt.Errorf("this office is not connected with %s; see adapters.%s in office.yaml", platform, platform)
}

func joined(said, remark string) string {
	if remark == "" {
		return said
	}
	return said + " " + remark
}

// LinkChannel pairs an office channel with a place. mark is how far the place's
// history counts as taken in if it was not linked before.
func (b *Bridge) LinkChannel(ctx context.Context, platform, place string, ch office.ChannelID, inThread, strict bool, mark string) error {
	return b.office.Link(ctx, office.Portal{
		ID: portalID(platform, place), Platform: platform, Place: place, Kind: office.ChannelPortal,
		Channel: ch, ReplyInThread: inThread, Strict: strict, Mark: mark,
	})
}

// UnlinkChannel ends the pairing of a place that the configuration no longer names.
func (b *Bridge) UnlinkChannel(ctx context.Context, platform, place string) error {
	_, err := b.office.Unlink(ctx, portalID(platform, place))
	return err
}

// MovePlace remembers that a linked place has another id on its platform now.
func (b *Bridge) MovePlace(ctx context.Context, platform, place, now string) error {
	return b.office.Move(ctx, portalID(platform, place), now)
}

// LinkDM pairs a person with the direct talk that they have with the office's
// bot. See LinkChannel for mark.
func (b *Bridge) LinkDM(ctx context.Context, platform, place string, person office.PersonID, mark string) error {
	return b.office.Link(ctx, office.Portal{ID: portalID(platform, place), Platform: platform, Place: place, Kind: office.DMPortal, Person: person, Mark: mark})
}
