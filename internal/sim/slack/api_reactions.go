package slack

import (
	"regexp"
	"slices"
	"strings"
)

// emojiName is what a custom emoji may be called (D: reactions.add takes the name without colons).
var emojiName = regexp.MustCompile(`^[a-z0-9_+'-]+$`)

// standardEmoji are names that Slack's picker knows, as far as a bot is likely to use them; others
// are added with Options.Emoji.
var standardEmoji = strings.Fields(`
	+1 -1 100 1234 alarm_clock ambulance anger arrow_down arrow_left arrow_right arrow_up
	arrows_counterclockwise bangbang bar_chart bell bomb book bookmark boom bow brain bug bulb
	calendar chart_with_upwards_trend clap clipboard clock1 coffee computer construction cry crystal_ball
	dart date double_vertical_bar ear electric_plug email envelope exclamation eye eyes
	face_with_monocle face_with_rolling_eyes fast_forward file_folder fire fist floppy_disk gear ghost gift
	globe_with_meridians grey_exclamation grey_question grin grinning hammer hammer_and_wrench hand
	handshake heart heart_eyes heavy_check_mark heavy_minus_sign heavy_multiplication_x heavy_plus_sign
	hourglass hourglass_flowing_sand information_source innocent joy key keyboard label large_blue_circle
	large_green_circle large_orange_circle large_yellow_circle laughing link lock loudspeaker mag mailbox
	mailbox_with_mail male-technologist mega memo money_with_wings moneybag muscle mute negative_squared_cross_mark
	neutral_face no_bell no_entry no_entry_sign o ok ok_hand outbox_tray package page_facing_up paperclip
	party_popper pencil pencil2 point_down point_left point_right point_up pray pushpin question rage
	raised_hand raised_hands recycle red_circle repeat robot_face rocket rotating_light saluting_face satellite
	scream see_no_evil shield shrug skull sleeping slightly_smiling_face smile smiley sob sparkles speech_balloon
	star star2 stop_sign stopwatch sunglasses sweat_smile tada test_tube thinking_face thought_balloon
	thumbsdown thumbsup timer_clock tired_face tools traffic_light triangular_flag_on_post trophy
	turtle unlock upside_down_face wastebasket wave white_check_mark white_circle wink wrench writing_hand
	x yum zap zipper_mouth_face zzz`)

// knownEmoji takes a name with or without a skin tone, as in "wave::skin-tone-2".
func (s *Server) knownEmoji(name string) bool {
	base, tone, toned := strings.Cut(name, "::")
	if toned && !slices.Contains([]string{"skin-tone-2", "skin-tone-3", "skin-tone-4", "skin-tone-5", "skin-tone-6"}, tone) {
		return false
	}
	return emojiName.MatchString(base) && (slices.Contains(standardEmoji, base) || slices.Contains(s.opts.Emoji, base))
}

// target is the message that a reaction call names.
func (s *Server) target(a args) (*conversation, *message, *refusal) {
	c, ref := s.visible(a["channel"])
	if ref != nil {
		return nil, nil, ref
	}
	switch {
	case !s.knownEmoji(a["name"]): // D: reactions.add
		return nil, nil, refuse("invalid_name")
	case c.archived: // D
		return nil, nil, refuse("is_archived")
	}
	if _, ok := parseTS(a["timestamp"]); !ok { // D
		return nil, nil, refuse("bad_timestamp")
	}
	m := c.byTS[a["timestamp"]]
	if m == nil || m.deleted { // D
		return nil, nil, refuse("message_not_found")
	}
	return c, m, nil
}

func addReaction(s *Server, a args) (reply, *refusal) {
	c, m, ref := s.target(a)
	if ref != nil {
		return nil, ref
	}
	if !s.react(c, m, s.ws.BotUserID, a["name"]) { // D
		return nil, refuse("already_reacted")
	}
	return reply{}, nil
}

func removeReaction(s *Server, a args) (reply, *refusal) {
	if a["channel"] == "" || a["timestamp"] == "" { // D: reactions.remove
		return nil, refuse("no_item_specified")
	}
	c, m, ref := s.target(a)
	if ref != nil {
		return nil, ref
	}
	if !s.unreact(c, m, s.ws.BotUserID, a["name"]) { // D
		return nil, refuse("no_reaction")
	}
	return reply{}, nil
}

func (s *Server) react(c *conversation, m *message, user, name string) bool {
	for i := range m.reactions {
		if r := &m.reactions[i]; r.name == name {
			if slices.Contains(r.users, user) {
				return false
			}
			r.users = append(r.users, user)
			s.emitReaction(c, m, user, name, true)
			return true
		}
	}
	m.reactions = append(m.reactions, reaction{name: name, users: []string{user}})
	s.emitReaction(c, m, user, name, true)
	return true
}

func (s *Server) unreact(c *conversation, m *message, user, name string) bool {
	for i := range m.reactions {
		r := &m.reactions[i]
		at := slices.Index(r.users, user)
		if r.name != name || at < 0 {
			continue
		}
		r.users = slices.Delete(slices.Clone(r.users), at, at+1)
		if len(r.users) == 0 {
			m.reactions = slices.Delete(slices.Clone(m.reactions), i, i+1)
		}
		s.emitReaction(c, m, user, name, false)
		return true
	}
	return false
}
