package discord

import (
	"regexp"
	"strings"
)

// route is one of the API's ways: calls of one share a limit, apart for each value
// of its major parameter (topics/rate-limits).
type route struct {
	key   string // method, path without ids that are not major
	major string
	shown string // for people: without secrets
}

var (
	idForm   = regexp.MustCompile(`^[0-9]{15,20}$`)
	majorOf  = map[string]bool{"channels": true, "guilds": true, "webhooks": true}
	reaction = "reactions"
)

// routeOf finds the route of a request.
func routeOf(method, path string) route {
	path, _, _ = strings.Cut(path, "?")
	parts := strings.Split(path, "/")
	r := route{}
	shown := make([]string, len(parts))
	for i, p := range parts {
		shown[i] = p
		switch {
		case i == 1 && majorOf[parts[0]] && idForm.MatchString(p):
			r.major = p
			shown[i] = "*"
		case i == 2 && (parts[0] == "webhooks" || parts[0] == "interactions"):
			if parts[0] == "webhooks" {
				r.major += "/" + p // the token is one as well
			}
			shown[i] = "…"
		case idForm.MatchString(p), i > 0 && parts[i-1] == reaction:
			shown[i] = "*"
		}
	}
	r.shown = method + " " + strings.Join(shown, "/")
	r.key = r.shown
	return r
}

// free says whether a route is outside of the limit on all calls together
// (topics/rate-limits, global rate limit).
func (r route) free() bool { return strings.Contains(r.key, " interactions/") }
