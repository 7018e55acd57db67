package format

import (
	"github.com/slack-go/slack"

	"bullpen/bridge/render"
)

// richInlines writes runs as rich text elements, all with the added style.
func richInlines(inlines []render.Inline, added render.Style) []slack.RichTextSectionElement {
	var out []slack.RichTextSectionElement
	for i := 0; i < len(inlines); i++ {
		in := inlines[i]
		in.Style |= added
		switch {
		case in.Link != "":
			end := linkEnd(inlines, i)
			out = append(out, richLink(inlines[i:end], added))
			i = end - 1
		case in.Kind == render.MentionSpan:
			out = append(out, richMention(in))
		case in.Kind == render.Break:
			out = append(out, richText("\n", 0)...)
		default:
			out = append(out, slack.NewRichTextSectionTextElement(in.Text, richStyle(in)))
		}
	}
	return out
}

// richText is plain text as an element. The text must not be empty.
func richText(text string, style render.Style) []slack.RichTextSectionElement {
	return []slack.RichTextSectionElement{
		slack.NewRichTextSectionTextElement(text, richStyle(render.Inline{Style: style})),
	}
}

// richLink is one link. An element has one style, so it is what all of the link's runs share.
func richLink(runs []render.Inline, added render.Style) slack.RichTextSectionElement {
	shared := runs[0]
	for _, in := range runs[1:] {
		shared.Style &= in.Style
		if in.Kind != shared.Kind {
			shared.Kind = render.Text
		}
	}
	shared.Style |= added
	url, label := shared.Link, render.InlineText(runs)
	if label == url {
		label = ""
	}
	return slack.NewRichTextSectionLinkElement(url, label, richStyle(shared))
}

func richMention(in render.Inline) slack.RichTextSectionElement {
	switch user, channel := target(in.Mention); {
	case user:
		return slack.NewRichTextSectionUserElement(in.Mention.ID, richStyle(in))
	case channel:
		return slack.NewRichTextSectionChannelElement(in.Mention.ID, richStyle(in))
	}
	return slack.NewRichTextSectionTextElement(in.Text, richStyle(in))
}

func richStyle(in render.Inline) *slack.RichTextSectionTextStyle {
	style := slack.RichTextSectionTextStyle{
		Bold:   in.Style&render.Strong != 0,
		Italic: in.Style&render.Emphasis != 0,
		Strike: in.Style&render.Strike != 0,
		Code:   in.Kind == render.CodeSpan,
	}
	if style == (slack.RichTextSectionTextStyle{}) {
		return nil
	}
	return &style
}
