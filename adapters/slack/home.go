package slack

import (
	"context"
	"fmt"
	"strings"

	"github.com/slack-go/slack"

	"bullpen/adapters/slack/format"
	"bullpen/bridge"
	"bullpen/bridge/render"
	"bullpen/office"
)

const (
	// homeMail is how many messages of somebody's mailbox their Home shows, and
	// homeLine how much of each, in characters.
	homeMail, homeLine = 10, 150
	// homeRoster bounds the colleagues that it lists.
	homeRoster = 60
	// sectionMost is the length of a section's text (docs.slack.dev, reference/block-kit/blocks/section-block).
	sectionMost = 3000
)

// opened shows somebody their Home, when there is time.
func (a *Adapter) opened(e *event) {
	user := string(e.User)
	if user == "" || e.Tab != "" && e.Tab != "home" {
		return
	}
	a.later.Do(func(ctx context.Context) {
		if err := a.publishHome(ctx, user); err != nil {
			a.log.Info("a Home could not be shown", "account", user, "err", err)
		}
	})
}

// publishHome shows the roster and the mailbox to people of the office, and to
// others how they are let in.
func (a *Adapter) publishHome(ctx context.Context, user string) error {
	blocks := []slack.Block{section("Write to me under *Messages*, and I tell you how you are let in.")}
	if p, ok := a.attached().LetIn(ctx, bridge.Account{Platform: platform, ID: user}); ok {
		var err error
		if blocks, err = a.home(ctx, &p); err != nil {
			return err
		}
	}
	return a.ask(ctx, "views.publish", func(ctx context.Context) error {
		_, err := a.api.PublishViewContext(ctx, slack.PublishViewContextRequest{
			UserID: user, View: slack.HomeTabViewRequest{Type: slack.VTHomeTab, Blocks: slack.Blocks{BlockSet: blocks}},
		})
		return err
	})
}

func (a *Adapter) home(ctx context.Context, p *office.Person) ([]slack.Block, error) {
	o := a.attached().Office()
	v, err := o.View(ctx)
	if err != nil {
		return nil, err
	}
	var roster []string
	for i, c := range v.Colleagues {
		if i == homeRoster {
			roster = append(roster, fmt.Sprintf("and %d more", len(v.Colleagues)-homeRoster))
			break
		}
		line := fmt.Sprintf("*%s*: %s", format.Escape(c.Name), c.Status)
		if c.Waiting > 0 {
			line += fmt.Sprintf(", %d waiting", c.Waiting)
		}
		roster = append(roster, line)
	}
	page, err := o.Messages(ctx, office.MessageQuery{Channels: []office.ChannelID{office.MailboxOf(p.ID)}, Limit: homeMail, Newest: true})
	if err != nil {
		return nil, err
	}
	var mail []string
	for i := range page.Messages {
		m := &page.Messages[i]
		if m.Done {
			continue
		}
		text := render.Truncate(strings.Join(strings.Fields(m.Shown()), " "), homeLine, render.UTF16)
		mail = append(mail, fmt.Sprintf("*%s* (%s): %s", format.Escape(m.Author.Name), m.Anchor(), format.Escape(text)))
	}
	if len(mail) == 0 {
		mail = []string{"Nothing waits."}
	}
	return []slack.Block{
		slack.NewHeaderBlock(slack.NewTextBlockObject(slack.PlainTextType, render.Truncate(v.Name, sectionMost/20, render.UTF16), false, false)),
		section(strings.Join(roster, "\n")), slack.NewDividerBlock(),
		section("*Your mailbox*\n" + strings.Join(mail, "\n")),
	}, nil
}

// section is a block of text that Slack takes.
func section(text string) slack.Block {
	return slack.NewSectionBlock(slack.NewTextBlockObject(slack.MarkdownType, render.Truncate(text, sectionMost, render.UTF16), false, false), nil, nil)
}
