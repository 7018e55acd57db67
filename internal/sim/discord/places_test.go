package discord_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/bwmarrin/discordgo"

	sim "bullpen/internal/sim/discord"
)

func TestALayoutIsBuilt(t *testing.T) {
	t.Parallel()
	srv := start(t)
	s, e := connect(t, srv, usual)
	cat, err := s.GuildChannelCreateComplex(guild, discordgo.GuildChannelCreateData{Name: "Office", Type: discordgo.ChannelTypeGuildCategory})
	if err != nil {
		t.Fatal(err)
	}
	ch, err := s.GuildChannelCreateComplex(guild, discordgo.GuildChannelCreateData{Name: "My Room", Topic: "talk", ParentID: cat.ID})
	if err != nil || ch.Name != "my-room" || ch.ParentID != cat.ID {
		t.Fatalf("%+v %v", ch, err)
	}
	if d := e.wait(t, "CHANNEL_CREATE", 2); d["id"] != ch.ID || d["topic"] != "talk" {
		t.Errorf("event %v", d)
	}
	yes := true
	role, err := s.GuildRoleCreate(guild, &discordgo.RoleParams{Name: "alice", Mentionable: &yes})
	if err != nil {
		t.Fatal(err)
	}
	must(srv.User("kim").Say("my-room", "hey "+srv.Mention("alice")+" "+srv.Mention("crew")))
	m := e.wait(t, "MESSAGE_CREATE", 1)
	if got := m["mention_roles"].([]any); len(got) != 2 || got[0] != role.ID {
		t.Errorf("roles %v", got)
	}
	if got := srv.Transcript("my-room")[0]; got.Text != "hey @alice @crew" || !slices.Equal(got.Pings, []string{"@alice", "@crew"}) {
		t.Errorf("%+v", got)
	}
	name := "renamed"
	if _, err := s.ChannelEdit(ch.ID, &discordgo.ChannelEdit{Name: name}); err != nil {
		t.Error(err)
	}
	if e.wait(t, "CHANNEL_UPDATE", 1)["name"] != name {
		t.Error("no event of the new name")
	}
	if _, err := s.GuildChannelCreateComplex(guild, discordgo.GuildChannelCreateData{Name: "x", ParentID: dev}); code(err) != 50035 {
		t.Errorf("a channel below a channel: %v", err)
	}
	if _, err := s.GuildRoleEdit(guild, guild, &discordgo.RoleParams{Name: "x"}); code(err) != 50013 {
		t.Errorf("@everyone renamed: %v", err)
	}
	if err := s.GuildRoleDelete(guild, role.ID); err != nil {
		t.Error(err)
	}
	if _, err := s.ChannelDelete(ch.ID); err != nil {
		t.Error(err)
	}
	e.wait(t, "CHANNEL_DELETE", 1)
	if all, err := s.GuildChannels(guild); err != nil || len(all) != 4 {
		t.Errorf("%d channels, %v", len(all), err)
	}
	if members, err := s.GuildMembers(guild, "", 100); err != nil || len(members) != 3 {
		t.Errorf("%d members, %v", len(members), err)
	}
}

func TestThreads(t *testing.T) {
	t.Parallel()
	srv := start(t)
	s, e := connect(t, srv, usual)
	id := must(srv.User("kim").Say("dev", "x"))
	thread, err := s.MessageThreadStart(dev, id, "plan", 60)
	if err != nil || thread.ID != id {
		t.Fatalf("%v %v", thread, err)
	}
	if _, err := s.MessageThreadStart(dev, id, "again", 60); code(err) != 160004 {
		t.Errorf("a second thread: %v", err)
	}
	if _, err := s.MessageThreadStart(dev, id, "x", 61); code(err) != 50035 {
		t.Errorf("61 minutes: %v", err)
	}
	if err := srv.ArchiveThread("plan", true, false); err != nil {
		t.Fatal(err)
	}
	if _, err := s.ChannelMessageSend(id, "back"); err != nil {
		t.Errorf("an archived thread: %v", err)
	}
	var archived []any
	for i := range 2 {
		archived = append(archived, e.wait(t, "THREAD_UPDATE", i+1)["thread_metadata"].(object)["archived"])
	}
	if archived[0] != true || archived[1] != false {
		t.Errorf("archived %v", archived)
	}
	post, err := s.ForumThreadStart(forum, "Idea", 1440, "body")
	if err != nil {
		t.Fatal(err)
	}
	if m := srv.Transcript(post.ID); len(m) != 1 || m[0].ID != post.ID || m[0].Text != "body" {
		t.Errorf("forum post %v", m)
	}
	if active, err := s.GuildThreadsActive(guild); err != nil || len(active.Threads) != 2 {
		t.Errorf("%+v %v", active, err)
	}
	private, err := s.ThreadStart(dev, "secret", discordgo.ChannelTypeGuildPrivateThread, 60)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := srv.User("kim").Say(private.ID, "x"); err == nil {
		t.Error("kim is not in the private thread and wrote there")
	}
	if err := srv.DeleteChannel("plan"); err != nil {
		t.Fatal(err)
	}
	e.wait(t, "THREAD_DELETE", 1)
	if _, err := s.ChannelMessageSend(id, "x"); code(err) != 10003 {
		t.Errorf("a deleted thread: %v", err)
	}
}

func TestAdminsChangeWhatTheBotSees(t *testing.T) {
	t.Parallel()
	srv := start(t)
	s, e := connect(t, srv, usual)
	e.wait(t, "GUILD_CREATE", 1)
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check(srv.RenameChannel("dev", "build"))
	e.wait(t, "CHANNEL_UPDATE", 1)
	check(srv.Deny("build", sim.ViewChannel))
	e.wait(t, "CHANNEL_DELETE", 1)
	must(srv.User("kim").Say("build", "unseen"))
	if _, err := s.ChannelMessageSend(dev, "x"); code(err) != 50001 {
		t.Errorf("a hidden channel: %v", err)
	}
	check(srv.Deny("build", 0))
	e.wait(t, "CHANNEL_CREATE", 1)
	must(srv.User("kim").Say("build", "seen"))
	if m := e.wait(t, "MESSAGE_CREATE", 1); m["content"] != "seen" {
		t.Errorf("got %v", m)
	}
	check(srv.RenameGuild(guild, "Other"))
	e.wait(t, "GUILD_UPDATE", 1)
	check(srv.GuildOutage(guild, true))
	if d := e.wait(t, "GUILD_DELETE", 1); d["unavailable"] != true {
		t.Errorf("outage %v", d)
	}
	check(srv.GuildOutage(guild, false))
	check(srv.KickBot(guild))
	if d := e.wait(t, "GUILD_DELETE", 2); d["unavailable"] != nil {
		t.Errorf("kicked %v", d)
	}
	if _, err := s.ChannelMessageSend(dev, "x"); code(err) != 50001 {
		t.Errorf("after the kick: %v", err)
	}
	check(srv.InviteBot(guild, sim.Talk))
	e.wait(t, "GUILD_CREATE", 3)
	if _, err := s.WebhookCreate(dev, "x", ""); code(err) != 50013 {
		t.Errorf("without the permission: %v", err)
	}
	check(srv.Leave(guild, "kim"))
	if _, err := srv.User("kim").Say("build", "x"); err == nil {
		t.Error("kim has left and wrote")
	}
	check(srv.Join(guild, sim.Member{User: "kim", Roles: []string{"crew"}}))
	must(srv.User("kim").Say("build", "back"))
	id := must(srv.CreateChannel(guild, sim.Channel{Name: "new"}))
	if d := e.wait(t, "CHANNEL_CREATE", 2); d["id"] != id {
		t.Errorf("created %v", d)
	}
}

func TestWhomAMessageNotifies(t *testing.T) {
	t.Parallel()
	srv := start(t)
	crew := srv.Mention("crew")
	text := "@everyone <@" + kim + "> <@" + maria + "> " + crew
	parse := func(kinds ...string) object { return object{"parse": append([]string{}, kinds...)} }
	for _, tc := range []struct {
		name    string
		allowed any
		want    string
	}{
		{"all by default", nil, "kim maria @crew @everyone"},
		{"nobody", parse(), ""},
		{"users", parse("users"), "kim maria"},
		{"one user", object{"parse": []string{}, "users": []string{kim}}, "kim"},
		{"roles", parse("roles"), "@crew"},
		{"everyone", parse("everyone"), "@everyone"},
		{"an empty object", object{}, ""},
	} {
		body := object{"content": text}
		if tc.allowed != nil {
			body["allowed_mentions"] = tc.allowed
		}
		_, got := do(t, srv, "POST", "/channels/"+dev+"/messages", body)
		seen := srv.Transcript("dev")
		if pings := strings.Join(seen[len(seen)-1].Pings, " "); pings != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, pings, tc.want)
		}
		if got["mention_everyone"] != strings.Contains(tc.want, "@everyone") {
			t.Errorf("%s: %v", tc.name, got["mention_everyone"])
		}
	}
	id := must(srv.User("kim").Say("dev", "question"))
	for _, pings := range []bool{true, false} {
		ref := object{"content": "answer", "message_reference": object{"message_id": id}, "allowed_mentions": object{"parse": []string{}, "replied_user": pings}}
		do(t, srv, "POST", "/channels/"+dev+"/messages", ref)
		seen := srv.Transcript("dev")
		if got := len(seen[len(seen)-1].Pings) == 1; got != pings {
			t.Errorf("replied_user %v notified: %v", pings, got)
		}
	}
	_, plain := do(t, srv, "POST", "/channels/"+dev+"/messages", object{"content": "x"})
	do(t, srv, "PATCH", "/channels/"+dev+"/messages/"+plain["id"].(string), object{"content": text})
	seen := srv.Transcript("dev")
	if got := seen[len(seen)-1].Pings; got != nil {
		t.Errorf("an edit notified %v", got)
	}
}

func TestReactionsHaveTheirLimits(t *testing.T) {
	t.Parallel()
	srv := start(t)
	_, e := connect(t, srv, usual)
	id := must(srv.User("kim").Say("dev", "x"))
	path := "/channels/" + dev + "/messages/" + id + "/reactions/"
	for i := range 20 {
		if status, got := do(t, srv, "PUT", path+string(rune(0x1f600+i))+"/@me", nil); status != 204 {
			t.Fatalf("%d %v", status, got)
		}
	}
	if _, got := do(t, srv, "PUT", path+"✅/@me", nil); got["code"] != 30010.0 {
		t.Errorf("the 21st: %v", got)
	}
	if err := srv.User("maria").React("dev", id, "\U0001f600"); err != nil {
		t.Error(err)
	}
	if d := e.wait(t, "MESSAGE_REACTION_ADD", 21); d["user_id"] != maria || d["emoji"].(object)["name"] != "\U0001f600" {
		t.Errorf("event %v", d)
	}
	do(t, srv, "DELETE", path+"\U0001f601/@me", nil)
	e.wait(t, "MESSAGE_REACTION_REMOVE", 1)
	if err := srv.User("maria").Unreact("dev", id, "❌"); err == nil {
		t.Error("a reaction that was not there was taken back")
	}
	if got := list(t, srv, path+"\U0001f600"); len(got) != 2 {
		t.Errorf("%v", got)
	}
}

func TestPeopleEditAndDelete(t *testing.T) {
	t.Parallel()
	srv := start(t)
	_, e := connect(t, srv, usual)
	id := must(srv.User("kim").Send(sim.Said{Channel: "dev", Text: "one", Files: []sim.File{{Name: "a.png", Type: "image/png", Data: []byte("png")}}}))
	if err := srv.User("kim").Edit("dev", id, "two"); err != nil {
		t.Fatal(err)
	}
	if d := e.wait(t, "MESSAGE_UPDATE", 1); d["content"] != "two" || d["edited_timestamp"] == nil || len(d["attachments"].([]any)) != 1 {
		t.Errorf("event %v", d)
	}
	if err := srv.User("maria").Edit("dev", id, "x"); err == nil {
		t.Error("maria edited kim's message")
	}
	if err := srv.User("maria").Delete("dev", id); err != nil {
		t.Errorf("the owner of the guild: %v", err)
	}
	e.wait(t, "MESSAGE_DELETE", 1)
	if len(srv.Transcript("dev")) != 0 {
		t.Error("it is still there")
	}
	must(srv.WebhookSays("dev", "Other bridge", "hello"))
	if d := e.wait(t, "MESSAGE_CREATE", 2); d["webhook_id"] == nil || d["author"].(object)["bot"] != true {
		t.Errorf("event %v", d)
	}
	if m := srv.Transcript("dev"); m[0].Ours || m[0].Author != "Other bridge" {
		t.Errorf("%+v", m[0])
	}
}

func TestACategoryIsDeletedWithoutItsChannels(t *testing.T) {
	t.Parallel()
	srv := start(t, func(o *sim.Options) {
		g := &o.Guilds[0]
		g.Channels = append(g.Channels, sim.Channel{ID: "61", Name: "Office", Type: sim.Category}, sim.Channel{ID: "62", Name: "room", Parent: "Office"})
	})
	if _, ch := do(t, srv, "GET", "/channels/62", nil); ch["parent_id"] != "61" {
		t.Errorf("channel %v", ch)
	}
	if err := srv.DeleteChannel("Office"); err != nil {
		t.Fatal(err)
	}
	if _, ch := do(t, srv, "GET", "/channels/62", nil); ch["parent_id"] != nil {
		t.Errorf("channel %v", ch)
	}
	if err := srv.MoveChannel("room", "nowhere"); err == nil {
		t.Error("it moved nowhere")
	}
}

func TestRolesAndOverwritesByTheAPI(t *testing.T) {
	t.Parallel()
	srv := start(t)
	crew := strings.Trim(srv.Mention("crew"), "<@&>")
	hide := object{"type": 0, "deny": sim.ViewChannel.String()}
	do(t, srv, "PUT", "/channels/"+dev+"/permissions/"+crew, object{"type": 0, "allow": sim.ViewChannel.String()})
	if status, got := do(t, srv, "PUT", "/channels/"+dev+"/permissions/"+guild, hide); status != 204 {
		t.Fatalf("%d %v", status, got)
	}
	if _, err := srv.User("kim").Say("dev", "x"); err == nil {
		t.Error("kim wrote in a channel that is hidden from everyone")
	}
	do(t, srv, "PUT", "/guilds/"+guild+"/members/"+kim+"/roles/"+crew, nil)
	must(srv.User("kim").Say("dev", "x"))
	do(t, srv, "DELETE", "/guilds/"+guild+"/members/"+kim+"/roles/"+crew, nil)
	if _, err := srv.User("kim").Say("dev", "x"); err == nil {
		t.Error("kim wrote without the role")
	}
	// The bot has hidden the channel from itself as well.
	if _, got := do(t, srv, "GET", "/channels/"+dev, nil); got["code"] != 50001.0 {
		t.Errorf("the bot sees %v", got)
	}
}

func TestACommandForAdminsOnly(t *testing.T) {
	t.Parallel()
	srv := start(t)
	do(t, srv, "POST", "/applications/"+srv.BotID()+"/guilds/"+guild+"/commands", object{
		"name": "setup", "description": "d", "default_member_permissions": "0",
		"options": []object{{"type": 4, "name": "n", "description": "d"}, {"type": 5, "name": "b", "description": "d"}, {"type": 3, "name": "t", "description": "d"}},
	})
	if _, err := srv.User("kim").Slash("dev", "setup", nil); err == nil {
		t.Error("kim used it")
	}
	_, e := connect(t, srv, usual)
	must(srv.User("maria").SlashLine("dev", "/setup n:5 b:true t:two words"))
	for i, want := range []any{5.0, true, "two words"} {
		if got := e.wait(t, "INTERACTION_CREATE", 1)["data"].(object)["options"].([]any)[i].(object)["value"]; got != want {
			t.Errorf("option %d is %v", i, got)
		}
	}
	if _, err := srv.User("maria").SlashLine("dev", "/setup n:five"); err == nil {
		t.Error("five was taken for a number")
	}
	if got := srv.Usage("dev"); len(got) != 1 || got[0] != "/setup [n:] [b:] [t:]  d" {
		t.Errorf("usage %q", got)
	}
}
