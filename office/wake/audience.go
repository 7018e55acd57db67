package wake

import "slices"

// Member is a colleague as far as its audience is concerned.
type Member struct {
	ID    string
	Level string // an unknown level counts as the lowest
	Gone  bool   // dismissed: never woken
}

// Audience returns the ids of the colleagues that w wakes when writer posts it
// in channel; people are not among them. Named colleagues come in the order of
// w, those of a level or a channel in the order of roster.
//
// A level is scoped to the channel it is posted in: the whole roster in
// [General], the members elsewhere. A channel wakes its own members wherever it
// is posted. The writer is never in the audience, and neither is anyone who is
// gone or not on the roster. members returns the ids of a channel's members; it
// is not asked about General.
func Audience(w Wake, channel, writer string, roster []Member, members func(channelID string) []string) []string {
	if w.sleeps() {
		return nil
	}
	awake := make(map[string]Member, len(roster))
	for _, m := range roster {
		if !m.Gone && m.ID != writer {
			awake[m.ID] = m
		}
	}
	switch {
	case len(w.Names) > 0:
		return reached(w.Names, awake)
	case w.Level != "":
		rung, ok := Rank(w.Level)
		if !ok {
			return nil
		}
		ids := inhabitants(channel, roster, members)
		return slices.DeleteFunc(reached(ids, awake), func(id string) bool {
			rank, _ := Rank(awake[id].Level)
			return rank < rung
		})
	default:
		return reached(inhabitants(w.Channel, roster, members), awake)
	}
}

// inhabitants returns who is in a channel, in the order of the roster.
func inhabitants(channel string, roster []Member, members func(string) []string) []string {
	inside := make(map[string]bool)
	if channel != General {
		for _, id := range members(channel) {
			inside[id] = true
		}
	}
	var ids []string
	for _, m := range roster {
		if channel == General || inside[m.ID] {
			ids = append(ids, m.ID)
		}
	}
	return ids
}

// reached keeps the ids that can be woken, each once.
func reached(ids []string, awake map[string]Member) []string {
	var out []string
	seen := make(map[string]bool, len(ids))
	for _, id := range ids {
		if _, ok := awake[id]; ok && !seen[id] {
			seen[id] = true
			out = append(out, id)
		}
	}
	return out
}
