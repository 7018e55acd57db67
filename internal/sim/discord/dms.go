package discord

import "time"

// maxDMs is how many DMs may be opened in a minute. The code is D (opcodes, 40003), the number K; known DMs
// do not count.
const maxDMs = 10

// createDM opens the DM with a user (D: resources/user, create DM). It works even with those who take none:
// the first message is what is refused.
func createDM(s *Server, c *call) (any, *refusal) {
	var in struct {
		Recipient string `json:"recipient_id"`
	}
	if bad := c.into(&in); bad != nil {
		return nil, bad
	}
	u := s.users[in.Recipient]
	switch {
	case !isID(in.Recipient):
		return nil, invalid("recipient_id", "NUMBER_TYPE_COERCE", "Value %q is not snowflake.", in.Recipient)
	case u == nil || u.deleted:
		return nil, refuse(10013)
	case u.ID == s.bot.ID:
		return nil, refuse(50033)
	}
	if s.dm(u.ID) == nil {
		s.dmOpened = append(recent(s.dmOpened, time.Now().Add(-time.Minute)), time.Now())
		if s.rateLimits && len(s.dmOpened) > maxDMs {
			return nil, refuse(40003)
		}
	}
	return s.channelObject(s.openDM(u.ID)), nil
}

// mutual says whether the bot shares a guild with a user.
func (s *Server) mutual(user string) bool {
	for _, g := range s.guilds {
		if g.in && g.members[user] != nil {
			return true
		}
	}
	return false
}
