package config

import (
	"maps"
	"slices"
)

// readSandbox reads where tools run. A shell that nothing confines is for the
// owner alone: it is refused where somebody else could have it used.
func (r *reader) readSandbox() {
	n := r.root.get("sandbox")
	confine := n.get("confine")
	r.cfg.Sandbox = Sandbox{Kind: n.get("kind").or("local"), Confine: confine.str() != "off"}
	if who := r.strangers(); !r.cfg.Sandbox.Confine && who != "" {
		r.wrong(confine, "confine: off lets whoever talks to the office run commands on this machine, and "+who,
			"write confine: on, or let nobody but the owner in")
	}
}

// strangers says how somebody other than the owner reaches the office; empty if
// nobody does.
func (r *reader) strangers() string {
	rules := map[string][2]string{}
	if s := r.cfg.Slack; s != nil {
		rules["slack"] = [2]string{s.Talk, s.DM}
	}
	if t := r.cfg.Telegram; t != nil {
		rules["telegram"] = [2]string{t.Talk, t.DM}
	}
	if d := r.cfg.Discord; d != nil {
		rules["discord"] = [2]string{d.Talk, d.DM}
	}
	for _, platform := range slices.Sorted(maps.Keys(rules)) {
		switch talk, dm := rules[platform][0], rules[platform][1]; {
		case talk == "members":
			return "adapters." + platform + ".talk is members"
		case dm == "open" || dm == "pairing":
			return "adapters." + platform + ".dm is " + dm
		}
	}
	if len(rules) > 0 && len(r.cfg.Accounts) > 1 {
		return "people lists more than the owner"
	}
	return ""
}
