package discord

import (
	"encoding/json"
	"slices"
	"time"
)

func commandRoutes() []route {
	const global, local = "/applications/{application}/commands", "/applications/{application}/guilds/{guild}/commands"
	var all []route
	for _, at := range []string{global, local} {
		all = append(all,
			route{pattern: "GET " + at, do: listCommands},
			route{pattern: "PUT " + at, do: overwriteCommands},
			route{pattern: "POST " + at, do: createCommand},
			route{pattern: "GET " + at + "/{command}", do: getCommand},
			route{pattern: "PATCH " + at + "/{command}", do: editCommand},
			route{pattern: "DELETE " + at + "/{command}", do: deleteCommand},
		)
	}
	return all
}

// maxCreates is how many commands may be created in a day, in a guild or globally (D:
// interactions/application-commands: 30034).
const maxCreates = 200

// commandSet is where commands are registered: globally or for one guild.
type commandSet struct {
	list    []object
	creates []time.Time
	writes  int
}

// commandsAt finds the set of a call.
func (s *Server) commandsAt(c *call) (*commandSet, *guild, *refusal) {
	if c.path("application") != s.bot.ID {
		return nil, nil, refuse(20012)
	}
	if c.path("guild") == "" {
		return &s.commands, nil, nil
	}
	g, bad := s.inGuild(c, 0)
	if bad != nil {
		return nil, nil, refuse(50001)
	}
	return &g.commands, g, nil
}

func listCommands(s *Server, c *call) (any, *refusal) {
	set, _, bad := s.commandsAt(c)
	if bad != nil {
		return nil, bad
	}
	return append([]object{}, set.list...), nil
}

// overwriteCommands replaces all; those with a known name keep their id and do not count as created (D:
// interactions/application-commands, bulk overwrite).
func overwriteCommands(s *Server, c *call) (any, *refusal) {
	set, g, bad := s.commandsAt(c)
	if bad != nil {
		return nil, bad
	}
	var list []object
	if json.Unmarshal(c.body, &list) != nil {
		return nil, refuse(50109)
	}
	if bad := checkCommands(list); bad != nil {
		return nil, bad
	}
	var next []object
	for _, in := range list {
		o, bad := s.register(set, g, in)
		if bad != nil {
			return nil, bad
		}
		next = append(next, o)
	}
	set.list = next
	set.writes++
	return append([]object{}, next...), nil
}

// register gives a command its id, that of the one that it replaces.
func (s *Server) register(set *commandSet, g *guild, in object) (object, *refusal) {
	o := object{"type": 1.0, "description": "", "default_member_permissions": nil, "nsfw": false}
	for k, v := range in {
		o[k] = v
	}
	o["application_id"], o["version"] = s.bot.ID, s.newID()
	if g != nil {
		o["guild_id"] = g.id
	} else if o["contexts"] == nil {
		o["contexts"] = []any{0.0, 1.0, 2.0}
	}
	if i := set.index(str(o, "name"), o["type"]); i >= 0 {
		o["id"] = set.list[i]["id"]
		return o, nil
	}
	set.creates = append(recent(set.creates, time.Now().Add(-24*time.Hour)), time.Now())
	if len(set.creates) > maxCreates {
		return nil, refuse(30034)
	}
	o["id"] = s.newID()
	return o, nil
}

func (set *commandSet) index(name string, kind any) int {
	return slices.IndexFunc(set.list, func(o object) bool { return o["name"] == name && o["type"] == kind })
}

func createCommand(s *Server, c *call) (any, *refusal) {
	set, g, bad := s.commandsAt(c)
	if bad != nil {
		return nil, bad
	}
	var in object
	if bad := c.into(&in); bad != nil {
		return nil, bad
	}
	if bad := checkCommand("", in); bad != nil {
		return nil, bad
	}
	o, bad := s.register(set, g, in)
	if bad != nil {
		return nil, bad
	}
	set.writes++
	if i := set.index(str(o, "name"), o["type"]); i >= 0 {
		set.list[i] = o
		return o, nil // D: an existing name is overwritten, with 200 instead of 201
	}
	set.list = append(set.list, o)
	return created{o}, nil
}

func (s *Server) oneCommand(c *call) (*commandSet, int, *refusal) {
	set, _, bad := s.commandsAt(c)
	if bad != nil {
		return nil, 0, bad
	}
	i := slices.IndexFunc(set.list, func(o object) bool { return o["id"] == c.path("command") })
	if i < 0 {
		return nil, 0, refuse(10063)
	}
	return set, i, nil
}

func getCommand(s *Server, c *call) (any, *refusal) {
	set, i, bad := s.oneCommand(c)
	if bad != nil {
		return nil, bad
	}
	return set.list[i], nil
}

func editCommand(s *Server, c *call) (any, *refusal) {
	set, i, bad := s.oneCommand(c)
	if bad != nil {
		return nil, bad
	}
	var in object
	if bad := c.into(&in); bad != nil {
		return nil, bad
	}
	o := object{}
	for _, from := range []object{set.list[i], in} {
		for k, v := range from {
			o[k] = v
		}
	}
	if bad := checkCommand("", o); bad != nil {
		return nil, bad
	}
	set.list[i] = o
	set.writes++
	return o, nil
}

func deleteCommand(s *Server, c *call) (any, *refusal) {
	set, i, bad := s.oneCommand(c)
	if bad != nil {
		return nil, bad
	}
	set.list = slices.Delete(set.list, i, i+1)
	set.writes++
	return nil, nil
}

// Commands are the names of the application commands that people see in a guild, by id; "" are the global
// ones. writes is how often they were written.
func (s *Server) Commands(guild string) (names []string, writes int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	set := &s.commands
	if g := s.guilds[guild]; g != nil {
		set = &g.commands
	}
	for _, o := range set.list {
		names = append(names, str(o, "name"))
	}
	return names, set.writes
}
