package config

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"bullpen/office"
	"bullpen/office/wake"
)

// reader turns a checked tree into the office's types and looks up what refers
// to something else.
type reader struct {
	*checker
	root *node
	cfg  *Config

	colleagues, people, channels, providers roll
	// unpriced are the models of which it was said that their price is unknown.
	unpriced map[string]bool
}

// config reads the whole tree.
func (c *checker) config(root *node, id string) *Config {
	r := &reader{checker: c, root: root, cfg: &Config{Channels: map[string]Channel{}, Providers: map[string]Provider{}}}
	r.colleagues.what, r.people.what, r.channels.what, r.providers.what = "colleague", "person", "channel", "provider"
	o := root.get("office")
	r.cfg.Setup = office.Setup{
		ID: id, Name: o.get("name").or(id), Description: o.get("description").str(), Timezone: o.get("timezone").str(),
	}
	r.limits(o.get("limits"))
	r.rolePermissions(o.get("role_permissions"))
	r.readProviders()
	r.cfg.Setup.Env = r.environment(o.get("env"), "")
	agents := r.enrol(&r.colleagues, root.get("agents"), wake.CheckName)
	r.readPeople()
	r.readAgents(agents)
	r.readBoss()
	r.readChannels()
	r.idleNotice(root.get("office", "idle_notice"))
	r.readSlack()
	r.readTelegram()
	r.readDiscord()
	r.readSandbox()
	r.cfg.Redis = NewSecret(root.get("store").get("redis").str())
	return r.cfg
}

func (r *reader) limits(n *node) {
	r.cfg.Setup.Limits = office.Limits{
		Message:         int(n.get("message").num()),
		ConcurrentTurns: int(n.get("max_concurrent_turns").num()),
		Depth:           int(n.get("max_depth").num()),
		Queue:           int(n.get("queue").num()),
		Steps:           int(n.get("steps").num()),
		Attempts:        int(n.get("attempts").num()),
		TurnTime:        time.Duration(n.get("turn_time").num()),
		QuietMost:       time.Duration(n.get("do_not_disturb_max").num()),
		Retention:       r.retention(n.get("retention")),
		FileSize:        n.get("file_mb").num() << 20,
		StuckAfter:      time.Duration(n.get("stuck_after").num()),
		Cost:            office.Money(n.get("budget_per_day").num()),
		ColleagueCost:   office.Money(n.get("colleague_budget_per_day").num()),
		Tokens:          n.get("tokens_per_day").num(),
		ColleagueTokens: n.get("colleague_tokens_per_day").num(),
	}
	r.cfg.ShutdownGrace = cmp.Or(time.Duration(n.get("shutdown_grace").num()), DefaultShutdownGrace)
}

// rolePermissions reads what the colleagues of a role may do unasked.
func (r *reader) rolePermissions(n *node) {
	for _, role := range []office.Role{office.Member, office.Leader} {
		if preset := n.get(string(role)).str(); preset != "" {
			if r.cfg.Setup.RolePermissions == nil {
				r.cfg.Setup.RolePermissions = map[office.Role]office.Preset{}
			}
			r.cfg.Setup.RolePermissions[role] = office.Preset(preset)
		}
	}
}

// retention is how long the record keeps what happened: a day at least, which the
// office itself needs.
func (r *reader) retention(n *node) time.Duration {
	d := time.Duration(n.num())
	if d > 0 && d < 24*time.Hour {
		r.wrong(n, "retention is less than a day", "write 24h or more")
	}
	return d
}

// idleNotice reads the question for idle moments, which must reach somebody.
func (r *reader) idleNotice(n *node) {
	s := &r.cfg.Setup
	s.MergeAll = r.root.get("office", "merge").str() == "all"
	s.IdleNotice = office.IdleNotice{
		Enabled: n.get("enabled").num() == 1, Channel: n.get("channel").str(), Text: n.get("text").str(),
	}
	for _, item := range n.get("wake").all() {
		s.IdleNotice.Wake = append(s.IdleNotice.Wake, item.str())
	}
	if len(r.colleagues.names) == 0 {
		return // which is told already
	}
	if err := office.CheckIdleNotice(*s); err != nil {
		r.wrong(n, "the idle notice could reach nobody: "+err.Error(), "name somebody in wake, or another channel")
	}
}

// readPeople reads the people and finds the owner.
func (r *reader) readPeople() {
	// Ids, and whose they are.
	slacks, telegrams, discords := make(map[string]string), make(map[string]string), make(map[string]string)
	for _, e := range r.enrol(&r.people, r.root.get("people"), r.personKey) {
		p := office.Person{ID: office.PersonID(e.key), Name: e.value.get("name").or(e.key), Admin: e.value.get("admin").num() == 1}
		r.personName(e, p)
		account := Account{
			Person: p.ID, Slack: r.account(e, "slack", "Slack", slacks), Telegram: r.account(e, "telegram", "Telegram", telegrams),
			Discord: r.account(e, "discord", "Discord", discords),
		}
		for _, platform := range e.value.get("mail").all() {
			if !slices.Contains(account.Mail, platform.text) {
				account.Mail = append(account.Mail, platform.text)
			}
		}
		r.cfg.Setup.People = append(r.cfg.Setup.People, p)
		r.cfg.Accounts = append(r.cfg.Accounts, account)
	}
	r.owner()
}

// personKey is the rule for a person's key: that of a name, but the owner may be
// called user, which is what @user addresses in any case.
func (r *reader) personKey(name string) error {
	if same(name, wake.User) && r.ownsAs(name) {
		return nil
	}
	return wake.CheckName(name)
}

// ownsAs reports whether the person of a key is the owner.
func (r *reader) ownsAs(key string) bool {
	if n := r.root.get("office", "owner"); n != nil {
		return same(n.text, key)
	}
	people := r.root.get("people")
	return people != nil && len(people.entries) > 0 && same(people.entries[0].key, key)
}

// account reads a person's account on a platform and sees that it is nobody else's.
func (r *reader) account(e entry, key, platform string, taken map[string]string) string {
	id := e.value.get(key).str()
	if other := taken[id]; other != "" && id != "" {
		r.wrong(e.value.get(key), "this "+platform+" account is "+other+"'s already", "one account belongs to one person")
	}
	taken[id] = e.key
	return id
}

// personName sees that a person can be told from every colleague and the office.
func (r *reader) personName(e entry, p office.Person) {
	for _, name := range []string{e.key, p.Name} {
		at, path := e.at, e.value.path
		if n := e.value.get("name"); n != nil && name == n.text {
			at, path = n.at, n.path
		}
		if colleague, taken := r.colleagues.find(name); taken {
			r.problem(at, path, fmt.Sprintf("the name is that of the colleague %q", colleague), "rename one of them")
			return
		}
		if same(name, wake.User) && r.ownsAs(e.key) {
			continue
		}
		if _, level := wake.Rank(name); level || slices.Contains([]string{"office", "system", "boss", wake.User}, wake.Fold(name)) {
			r.problem(at, path, fmt.Sprintf("the name %q is kept for the office", name), "choose another")
			return
		}
	}
}

// owner marks the one person who owns the office, an admin in any case.
func (r *reader) owner() {
	s := &r.cfg.Setup
	n := r.root.get("office", "owner")
	if len(s.People) == 0 && (n == nil || n.text == string(office.DefaultOwner)) {
		s.People = []office.Person{{ID: office.DefaultOwner, Name: string(office.DefaultOwner), Owner: true, Admin: true}}
		return
	}
	owner := r.refer(&r.people, n)
	for i := range s.People {
		if string(s.People[i].ID) == owner || owner == "" && i == 0 {
			s.People[i].Owner, s.People[i].Admin = true, true
			return
		}
	}
}

// readChannels reads the channels, general's settings among them, and whom each
// wakes by default.
func (r *reader) readChannels() {
	allowed := func(name string) error {
		if wake.Fold(name) == wake.General {
			return nil
		}
		return wake.CheckChannelName(name)
	}
	entries := r.enrol(&r.channels, r.root.get("office", "channels"), allowed)
	if _, ok := r.channels.find(wake.General); !ok {
		r.channels.add(wake.General)
	}
	directory := r.directory()
	for _, e := range entries {
		n, name := e.value, e.key
		members := n.get("members")
		if wake.Fold(name) == wake.General {
			name = wake.General
			if members != nil {
				r.notice(members.at, members.path, "general is everyone's; its members are ignored", "")
				members = nil
			}
		}
		setup := office.ChannelSetup{
			Name: name, Topic: r.topic(n), Members: r.references(&r.colleagues, members),
			DefaultWake: r.defaultWake(n.get("default_wake"), directory),
			FinalText:   n.get("final_text").str(),
		}
		r.cfg.Setup.Channels = append(r.cfg.Setup.Channels, setup)
		r.cfg.Channels[name] = Channel{n.get("reply").str(), n.get("threads").str(), n.get("final_text").str()}
	}
}

// topic is a channel's topic, which Agent Office calls its description.
func (r *reader) topic(n *node) string {
	topic, description := n.get("topic"), n.get("description")
	if topic != nil && description != nil {
		r.wrong(description, "description is another name for topic, and both are there", "keep topic")
	}
	return topic.or(description.str())
}

// directory knows who can be addressed, a person by the key as well as the name.
func (r *reader) directory() *wake.Directory {
	var e wake.Entries
	for _, name := range r.colleagues.names {
		e.Colleagues = append(e.Colleagues, wake.Entry{ID: name, Name: name})
	}
	for _, p := range r.cfg.Setup.People {
		e.People = append(e.People, wake.Entry{ID: string(p.ID), Name: string(p.ID)}, wake.Entry{ID: string(p.ID), Name: p.Name})
		if p.Owner {
			e.Owner = string(p.ID)
		}
	}
	for _, name := range r.channels.names {
		e.Channels = append(e.Channels, wake.Entry{ID: name, Name: name})
	}
	return wake.NewDirectory(e)
}

// defaultWake reads a wake list entry by entry, so that each mistake has its
// place, and then as the whole that it will be. A person is written by name,
// which is what the office knows.
func (r *reader) defaultWake(n *node, d *wake.Directory) []string {
	var entries []string
	for _, item := range n.all() {
		w, err := wake.ParseList([]string{item.text}, d)
		if err != nil {
			if cause := errors.Unwrap(err); cause != nil {
				err = cause
			}
			what := err.Error()
			if item.variable != "" || looksSecret(item.text) {
				what = r.shown(item) + " addresses nobody"
			}
			r.wrong(item, what, "")
			continue
		}
		entry := item.text
		if len(w.People) == 1 {
			entry = "@" + r.nameOf(w.People[0])
		}
		entries = append(entries, entry)
	}
	if len(entries) == 0 {
		return nil
	}
	if _, err := wake.ParseList(entries, d); err != nil {
		r.wrong(n, err.Error(), "")
	}
	return entries
}

// nameOf is what the office calls a person.
func (r *reader) nameOf(id string) string {
	for _, p := range r.cfg.Setup.People {
		if string(p.ID) == id {
			return p.Name
		}
	}
	return id
}
