package slack

import (
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
)

func (s *Server) userObject(u *User) map[string]any {
	profile := map[string]any{
		"real_name": u.RealName, "real_name_normalized": u.RealName,
		"display_name": u.DisplayName, "display_name_normalized": u.DisplayName,
		"team": u.TeamID, "fields": map[string]any{},
	}
	if u.Bot {
		profile["bot_id"], profile["api_app_id"] = u.BotID, u.AppID
	}
	return map[string]any{
		"id": u.ID, "team_id": u.TeamID, "name": u.Name, "real_name": u.RealName, "deleted": u.Deleted,
		"profile": profile, "is_bot": u.Bot, "is_admin": u.Admin || u.Owner, "is_owner": u.Owner,
		"is_primary_owner": false, "is_restricted": u.Guest, "is_ultra_restricted": u.Single,
		"is_stranger": u.TeamID != s.ws.TeamID, "is_app_user": false, "updated": 0,
		"tz": "Europe/Berlin", "tz_label": "Central European Time", "tz_offset": 3600, "locale": "en-US",
	}
}

func usersInfo(s *Server, a args) (reply, *refusal) {
	ids := strings.Split(a["users"], ",") // L: GetUsersInfoContext sends several
	if a["users"] == "" {
		ids = []string{a["user"]}
	}
	found := make([]map[string]any, 0, len(ids))
	for _, id := range ids {
		u := s.users[id]
		if u == nil { // D: users.info
			return nil, refuse("user_not_found")
		}
		found = append(found, s.userObject(u))
	}
	if a["users"] != "" {
		return reply{"users": found}, nil
	}
	return reply{"user": found[0]}, nil
}

func usersList(s *Server, a args) (reply, *refusal) {
	page, next, ref := pageOf(s.userOrder, a, "user:")
	if ref != nil {
		return nil, ref
	}
	members := make([]map[string]any, len(page))
	for i, id := range page {
		members[i] = s.userObject(s.users[id])
	}
	return reply{"members": members, "response_metadata": map[string]any{"next_cursor": next}}, nil
}

// pageOf cuts the page out of ids that cursor and limit ask for. Cursors are opaque to the client and
// name the first id of the page, so that what is added meanwhile moves nothing.
func pageOf(ids []string, a args, prefix string) (page []string, next string, ref *refusal) {
	limit, ref := limitOf(a, defaultListLimit, maxListLimit)
	if ref != nil {
		return nil, "", ref
	}
	from := 0
	if c := a["cursor"]; c != "" {
		id, ok := openCursor(c, prefix)
		if from = slices.Index(ids, id); !ok || from < 0 { // D: invalid_cursor
			return nil, "", refuse("invalid_cursor")
		}
	}
	to := min(from+limit, len(ids))
	if to < len(ids) {
		next = sealCursor(ids[to], prefix)
	}
	return ids[from:to], next, nil
}

func sealCursor(id, prefix string) string {
	return base64.StdEncoding.EncodeToString([]byte(prefix + id))
}

func openCursor(cursor, prefix string) (string, bool) {
	raw, err := base64.StdEncoding.DecodeString(cursor)
	if err != nil {
		return "", false
	}
	return strings.CutPrefix(string(raw), prefix)
}

// limitOf reads a limit; nothing and 0 mean the default, too much means the most there is (D:
// pagination; invalid_limit is for what is not understood).
func limitOf(a args, def, most int) (int, *refusal) {
	if a["limit"] == "" || a["limit"] == "0" {
		return def, nil
	}
	n, err := strconv.Atoi(a["limit"])
	if err != nil || n < 0 {
		return 0, refuse("invalid_limit")
	}
	return min(n, most), nil
}
