package config

import "net/url"

// unpaced says whether an adapter's block takes its platform's rates away. What real
// platforms document is kept to: only a server on this machine may have none.
func (r *reader) unpaced(n *node) bool {
	pace := n.get("pace")
	if pace.str() != "none" {
		return false
	}
	if u, err := url.Parse(n.get("api_url").str()); err != nil || !loopback(u.Hostname()) {
		r.wrong(pace, "pace: none is for a server of your own on this machine", "name its api_url, or write pace: documented")
		return false
	}
	return true
}
