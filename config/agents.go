package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"bullpen/office"
	"bullpen/office/wake"
)

// priorities orders colleagues that wait for a turn; Agent Office's numbers say
// the same.
var priorities = map[string]int{
	"idle": -2, "low": -1, "normal": 0, "high": 1, "critical": 2,
	"0": -2, "1": -1, "2": 0, "3": 1, "4": 2,
}

// readAgents reads the colleagues, who are on the roll already.
func (r *reader) readAgents(entries []entry) {
	s := &r.cfg.Setup
	led := make(map[string]bool)
	managers := make([]*node, 0, len(entries))
	for _, e := range entries {
		n := e.value
		who := office.ColleagueSetup{
			Name:        e.key,
			Role:        office.Role(n.get("role").str()),
			Description: n.get("description").str(),
			Priority:    priorities[n.get("priority").str()],
			ReportsTo:   r.refer(&r.colleagues, n.get("reports_to")),
			Prompt:      n.get("prompt_inline").str(),
			Env:         r.environment(n.get("env"), e.key),
			Cwd:         n.get("cwd").str(),
		}
		if t := n.get("thinking").str(); t != "off" {
			who.Thinking = t
		}
		r.workFolder(n.get("cwd"))
		who.Model, who.Fallback = r.models(e)
		who.Allow, who.Deny = r.tools(n.get("permissions", "tools"))
		who.Approve = r.toolNames(n.get("approve"))
		who.SharedDM = cmp.Or(n.get("dm_context").str(), r.root.get("office", "dm_context").str()) == "shared"
		managers = append(managers, n.get("reports_to"))
		led[who.ReportsTo] = true
		s.Colleagues = append(s.Colleagues, who)
	}
	for i := range s.Colleagues {
		if who := &s.Colleagues[i]; who.Role == "" {
			who.Role = office.Member
			who.RoleUnsaid = true
			if led[who.Name] {
				who.Role = office.Leader
			}
		}
	}
	r.askers()
	r.circles(managers)
	r.frontDesk()
	if len(r.colleagues.names) == 0 {
		r.nobody()
	}
}

// askers finds out who may ask people and wait for them: leaders, unless
// ask_user_roles says otherwise.
func (r *reader) askers() {
	roles := []string{string(office.Leader)}
	if n := r.root.get("office", "ask_user_roles"); n != nil {
		roles, r.cfg.Setup.AskUserRoles = nil, []office.Role{}
		for _, item := range n.all() {
			roles = append(roles, item.str())
			r.cfg.Setup.AskUserRoles = append(r.cfg.Setup.AskUserRoles, office.Role(item.str()))
		}
	}
	for i := range r.cfg.Setup.Colleagues {
		who := &r.cfg.Setup.Colleagues[i]
		who.AskUser = slices.Contains(roles, string(who.Role))
	}
}

// nobody refuses an office without colleagues, unless a mistake that is told
// already may have hidden them.
func (r *reader) nobody() {
	at := r.root.at
	for _, e := range r.root.entries {
		if e.value.bad && fieldOf(schema.fields, e.key) == nil {
			return
		}
		if e.key == "agents" {
			if at = e.at; e.value.bad || len(e.value.entries) > 0 {
				return
			}
		}
	}
	r.problem(at, "agents", "the office has no colleague", "write a name and a colon below agents:, indented")
}

// circles refuses colleagues who report to themselves, directly or through
// others. Each circle is told once, where its first colleague is declared.
func (r *reader) circles(managers []*node) {
	all := r.cfg.Setup.Colleagues
	index := make(map[string]int, len(all))
	for i, who := range all {
		index[who.Name] = i
	}
	done := make([]bool, len(all))
	for i := range all {
		var chain []int
		for at, ok := i, true; ok && !done[at]; at, ok = index[all[at].ReportsTo] {
			done[at] = true
			chain = append(chain, at)
		}
		if len(chain) == 0 {
			continue
		}
		next, ok := index[all[chain[len(chain)-1]].ReportsTo]
		if start := slices.Index(chain, next); ok && start >= 0 {
			r.circle(chain[start:], managers)
		}
	}
}

func (r *reader) circle(members []int, managers []*node) {
	all := r.cfg.Setup.Colleagues
	first := slices.Index(members, slices.Min(members))
	members = append(slices.Clone(members[first:]), members[:first]...)
	n := managers[members[0]]
	if len(members) == 1 {
		r.wrong(n, fmt.Sprintf("%s cannot report to itself", all[members[0]].Name), "leave reports_to out for who reports to the owner")
		return
	}
	names := make([]string, 0, len(members))
	for _, i := range append(members[1:], members[0]) {
		names = append(names, all[i].Name)
	}
	r.wrong(n, "nobody leads this circle: "+all[members[0]].Name+" reports to "+strings.Join(names, ", who reports to "),
		"leave reports_to out for one of them")
}

// frontDesk finds who answers talk to the office itself: the one that is named,
// else the first leader, else the first colleague.
func (r *reader) frontDesk() {
	s := &r.cfg.Setup
	s.FrontDesk = r.refer(&r.colleagues, r.root.get("office", "front_desk"))
	if s.FrontDesk != "" || len(s.Colleagues) == 0 {
		return
	}
	i := slices.IndexFunc(s.Colleagues, func(c office.ColleagueSetup) bool { return c.Role == office.Leader })
	s.FrontDesk = s.Colleagues[max(i, 0)].Name
}

// tools reads which tools a colleague is given or denied.
func (r *reader) tools(n *node) (allow, deny []string) {
	a, d := n.get("allow"), n.get("deny")
	switch {
	case a != nil && d != nil:
		r.wrong(d, "allow and deny stand side by side", "keep one: allow gives only what it lists, deny all but what it lists")
		return nil, nil
	case a != nil && len(a.items) == 0:
		r.wrong(a, "allow lists no tool", "list at least one, or leave allow out for all that the role holds")
		return nil, nil
	}
	return r.toolNames(a), r.toolNames(d)
}

func (r *reader) toolNames(n *node) []string {
	var names []string
	for _, item := range n.all() {
		name := item.text
		if ours, known := upstreamTools[name]; known {
			r.notice(item.at, item.path, fmt.Sprintf("Agent Office's tool %s is %s here", name, ours), "")
			name = ours
		}
		if !slices.Contains(toolNames, name) {
			mend := "the tools are named in the documentation"
			if near := wake.Nearest(name, toolNames); near != "" {
				mend = fmt.Sprintf("did you mean %q?", near)
			}
			r.wrong(item, "no tool is called "+r.shown(item), mend)
			continue
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
