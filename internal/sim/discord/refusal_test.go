package discord_test

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"strconv"
	"strings"
	"testing"

	sim "bullpen/internal/sim/discord"
)

// many is n objects that f makes.
func many(n int, f func(int) object) []object {
	out := make([]object, n)
	for i := range out {
		out[i] = f(i)
	}
	return out
}

func button(i int) object {
	return object{"type": 2, "style": 1, "label": "b", "custom_id": strings.Repeat("x", i+1)}
}

func row(all ...object) []object { return []object{{"type": 1, "components": all}} }

func TestWhatMessagesAreRefused(t *testing.T) {
	t.Parallel()
	srv := start(t)
	for _, tc := range []struct {
		name string
		body object
		code float64 // 0: taken
	}{
		{"2000 characters", object{"content": strings.Repeat("ä", 2000)}, 0},
		{"2001 characters", object{"content": strings.Repeat("ä", 2001)}, 50035},
		{"nothing", object{}, 50006},
		{"white space", object{"content": " \n"}, 50006},
		{"text that is a number", object{"content": 5}, 50035},
		{"a nonce of 26", object{"content": "x", "nonce": strings.Repeat("n", 26)}, 50035},
		{"11 embeds", object{"embeds": many(11, func(int) object { return object{"title": "x"} })}, 50035},
		{"a long embed title", object{"embeds": []object{{"title": strings.Repeat("x", 257)}}}, 50035},
		{"embeds of 6001", object{"embeds": many(2, func(i int) object { return object{"description": strings.Repeat("x", 3000+i)} })}, 50035},
		{"26 fields", object{"embeds": []object{{"fields": many(26, func(int) object { return object{"name": "a", "value": "b"} })}}}, 50035},
		{"a field without value", object{"embeds": []object{{"fields": []object{{"name": "a", "value": ""}}}}}, 50035},
		{"five buttons", object{"content": "x", "components": row(many(5, button)...)}, 0},
		{"six buttons", object{"content": "x", "components": row(many(6, button)...)}, 50035},
		{"six rows", object{"content": "x", "components": many(6, func(i int) object { return row(button(i))[0] })}, 50035},
		{"a custom id of 101", object{"content": "x", "components": row(button(100))}, 50035},
		{"a custom id twice", object{"content": "x", "components": row(button(1), button(1))}, 50035},
		{"a label of 81", object{"content": "x", "components": row(object{"type": 2, "style": 1, "custom_id": "a", "label": strings.Repeat("l", 81)})}, 50035},
		{"a button outside a row", object{"content": "x", "components": []object{button(1)}}, 50035},
		{"a text input in a message", object{"content": "x", "components": row(object{"type": 4, "custom_id": "a"})}, 50035},
		{"an unknown component", object{"content": "x", "components": row(object{"type": 99})}, 50035},
		{"26 choices", object{"content": "x", "components": row(object{"type": 3, "custom_id": "a", "options": many(26, func(int) object { return object{"label": "a", "value": "b"} })})}, 50035},
		{"new components", object{"flags": 1 << 15, "components": []object{{"type": 17, "components": []object{{"type": 10, "content": "# hi"}}}}}, 0},
		{"new components with content", object{"content": "x", "flags": 1 << 15, "components": []object{{"type": 10, "content": "hi"}}}, 50035},
		{"new components without the flag", object{"components": []object{{"type": 10, "content": "hi"}}}, 50035},
		{"41 new components", object{"flags": 1 << 15, "components": many(41, func(int) object { return object{"type": 10, "content": "x"} })}, 50035},
		{"parse and a list", object{"content": "x", "allowed_mentions": object{"parse": []string{"users"}, "users": []string{"1"}}}, 50035},
		{"an unknown kind of mention", object{"content": "x", "allowed_mentions": object{"parse": []string{"all"}}}, 50035},
		{"a reply to nothing", object{"content": "x", "message_reference": object{"message_id": "1"}}, 50035},
		{"a reply that may fail", object{"content": "x", "message_reference": object{"message_id": "1", "fail_if_not_exists": false}}, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			status, got := do(t, srv, "POST", "/channels/"+dev+"/messages", tc.body)
			want := http.StatusBadRequest
			if tc.code == 0 {
				want = http.StatusOK
			}
			if code, _ := got["code"].(float64); code != tc.code || status != want {
				t.Errorf("%d %v", status, got)
			}
		})
	}
}

func TestWherePostingIsRefused(t *testing.T) {
	t.Parallel()
	srv := start(t, func(o *sim.Options) {
		o.Users = append(o.Users, sim.User{Name: "lone"}, sim.User{Name: "shy", NoDMs: true})
		g := &o.Guilds[0]
		g.Members = append(g.Members, sim.Member{User: "shy"})
		g.Channels = append(g.Channels, sim.Channel{ID: "51", Name: "secret", Deny: sim.ViewChannel}, sim.Channel{ID: "52", Name: "read", Deny: sim.SendMessages},
			sim.Channel{ID: "53", Name: "group", Type: sim.Category})
	})
	dm := func(name string) string {
		id := strings.Trim(srv.Mention(name), "<@>")
		_, ch := do(t, srv, "POST", "/users/@me/channels", object{"recipient_id": id})
		return ch["id"].(string)
	}
	locked := must(srv.User("kim").Thread("dev", "", "locked", "x"))
	if err := srv.ArchiveThread(locked, true, true); err != nil {
		t.Fatal(err)
	}
	old := must(srv.User("kim").Thread("dev", "", "old", "x"))
	_, mine := do(t, srv, "POST", "/channels/"+old+"/messages", object{"content": "mine"})
	if err := srv.ArchiveThread(old, true, false); err != nil {
		t.Fatal(err)
	}
	if err := srv.Permit(guild, sim.Talk); err != nil {
		t.Fatal(err)
	}
	msg := must(srv.User("kim").Say("dev", "x"))
	say := object{"content": "x"}
	for _, tc := range []struct {
		name, method, path string
		body               any
		status             int
		code               float64
	}{
		{"no channel", "POST", "/channels/999/messages", say, 404, 10003},
		{"no id", "POST", "/channels/dev/messages", say, 400, 50035},
		{"a hidden channel", "POST", "/channels/51/messages", say, 403, 50001},
		{"a channel to read", "POST", "/channels/52/messages", say, 403, 50013},
		{"a forum", "POST", "/channels/" + forum + "/messages", say, 400, 40058},
		{"a category", "POST", "/channels/53/messages", say, 400, 50008},
		{"a locked thread", "POST", "/channels/" + locked + "/messages", say, 403, 160005},
		{"editing in an archived thread", "PATCH", "/channels/" + old + "/messages/" + mine["id"].(string), say, 400, 50083},
		{"who takes no DMs", "POST", "/channels/" + dm("shy") + "/messages", say, 403, 50007},
		{"a stranger", "POST", "/channels/" + dm("lone") + "/messages", say, 403, 50278},
		{"no message", "GET", "/channels/" + dev + "/messages/1", nil, 404, 10008},
		{"editing another's", "PATCH", "/channels/" + dev + "/messages/" + msg, say, 403, 50005},
		{"deleting another's", "DELETE", "/channels/" + dev + "/messages/" + msg, nil, 403, 50013},
		{"an emoji by name", "PUT", "/channels/" + dev + "/messages/" + msg + "/reactions/eyes/@me", nil, 400, 10014},
		{"a limit of 101", "GET", "/channels/" + dev + "/messages?limit=101", nil, 400, 50035},
		{"a webhook without the permission", "POST", "/channels/" + dev + "/webhooks", object{"name": "x"}, 403, 50013},
		{"a role without the permission", "POST", "/guilds/" + guild + "/roles", object{"name": "x"}, 403, 50013},
		{"no guild", "GET", "/guilds/1", nil, 404, 10004},
		{"no member", "GET", "/guilds/" + guild + "/members/1", nil, 404, 10007},
		{"a DM with the bot itself", "POST", "/users/@me/channels", object{"recipient_id": srv.BotID()}, 400, 50033},
		{"an unknown webhook", "POST", "/webhooks/1/x", say, 404, 10015},
		{"an unknown interaction", "POST", "/interactions/1/x/callback", object{"type": 4}, 404, 10062},
		{"an unknown token of an answer", "POST", "/webhooks/" + srv.BotID() + "/x", say, 401, 50027},
		{"another's commands", "GET", "/applications/1/commands", nil, 403, 20012},
		{"no such route", "GET", "/nothing", nil, 404, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			status, got := do(t, srv, tc.method, tc.path, tc.body)
			if status != tc.status || got["code"] != tc.code {
				t.Errorf("%d %v", status, got)
			}
		})
	}
}

func TestWhatWebhooksAreRefused(t *testing.T) {
	t.Parallel()
	srv := start(t)
	for _, name := range []string{"", strings.Repeat("x", 81), "Clyde", "my Discord bot"} {
		if status, got := do(t, srv, "POST", "/channels/"+dev+"/webhooks", object{"name": name}); status != 400 || got["code"] != 50035.0 {
			t.Errorf("%q: %d %v", name, status, got)
		}
	}
	var hook object
	for range 15 {
		_, hook = do(t, srv, "POST", "/channels/"+dev+"/webhooks", object{"name": "x"})
	}
	if _, got := do(t, srv, "POST", "/channels/"+dev+"/webhooks", object{"name": "x"}); got["code"] != 30007.0 {
		t.Errorf("the sixteenth: %v", got)
	}
	_, inForum := do(t, srv, "POST", "/channels/"+forum+"/webhooks", object{"name": "x"})
	path := func(h object) string { return "/webhooks/" + h["id"].(string) + "/" + h["token"].(string) }
	for _, tc := range []struct {
		path string
		body object
		code float64
	}{
		{path(hook), object{"content": "x", "username": "discord"}, 50035},
		{path(hook), object{}, 50006},
		{path(hook) + "x", object{"content": "x"}, 50027},
		{path(hook), object{"content": "x", "thread_name": "t"}, 220003},
		{path(hook) + "?thread_id=" + general, object{"content": "x"}, 10003},
		{path(inForum), object{"content": "x"}, 220001},
	} {
		if _, got := do(t, srv, "POST", tc.path, tc.body); got["code"] != tc.code {
			t.Errorf("%s %v: %v, want %v", tc.path, tc.body, got, tc.code)
		}
	}
	if status, _ := do(t, srv, "POST", path(inForum)+"?wait=true", object{"content": "idea", "thread_name": "t"}); status != 200 {
		t.Errorf("a forum post: %d", status)
	}
	if status, _ := do(t, srv, "POST", path(hook), object{"content": "x"}); status != http.StatusNoContent {
		t.Errorf("without wait: %d", status)
	}
}

func TestWhatCommandsAreRefused(t *testing.T) {
	t.Parallel()
	srv := start(t)
	sub := func(i int) object {
		return object{"type": 1, "name": "s" + strings.Repeat("x", i), "description": "d"}
	}
	with := func(o ...object) object { return object{"name": "a", "description": "d", "options": o} }
	text := func(more object) object {
		o := object{"type": 3, "name": "o", "description": "d"}
		for k, v := range more {
			o[k] = v
		}
		return o
	}
	for _, tc := range []struct {
		name string
		all  []object
		ok   bool
	}{
		{"one", []object{{"name": "ok", "description": "d"}}, true},
		{"capitals", []object{{"name": "Office", "description": "d"}}, false},
		{"a space", []object{{"name": "a b", "description": "d"}}, false},
		{"a long name", []object{{"name": strings.Repeat("a", 33), "description": "d"}}, false},
		{"no description", []object{{"name": "a"}}, false},
		{"a long description", []object{{"name": "a", "description": strings.Repeat("d", 101)}}, false},
		{"a name twice", []object{{"name": "a", "description": "d"}, {"name": "a", "description": "d"}}, false},
		{"25 subcommands", []object{with(many(25, sub)...)}, true},
		{"26 subcommands", []object{with(many(26, sub)...)}, false},
		{"a subcommand beside an option", []object{with(sub(1), text(nil))}, false},
		{"required after optional", []object{with(text(nil), text(object{"name": "p", "required": true}))}, false},
		{"26 choices", []object{with(text(object{"choices": many(26, func(int) object { return object{"name": "n", "value": "v"} })}))}, false},
		{"choices and autocomplete", []object{with(text(object{"autocomplete": true, "choices": []object{{"name": "n", "value": "v"}}}))}, false},
		{"over 8000 characters", []object{with(many(25, func(i int) object {
			o := sub(i)
			o["options"] = many(4, func(j int) object {
				return object{"type": 3, "name": "o" + strings.Repeat("x", j), "description": strings.Repeat("d", 100)}
			})
			return o
		})...)}, false},
		{"101 commands", many(101, func(i int) object {
			return object{"name": strings.Repeat("a", i%30+1) + string(rune('a'+i/30)), "description": "d"}
		}), false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			status, raw, _ := call(t, srv, "PUT", "/applications/"+srv.BotID()+"/guilds/"+guild+"/commands", tc.all)
			if (status == 200) != tc.ok {
				t.Errorf("%d %s", status, raw)
			}
		})
	}
}

func TestUploadsByForm(t *testing.T) {
	t.Parallel()
	srv := start(t)
	post := func(payload string, parts map[string][]byte) int {
		var b bytes.Buffer
		w := multipart.NewWriter(&b)
		if err := w.WriteField("payload_json", payload); err != nil {
			t.Fatal(err)
		}
		for name, data := range parts {
			f, err := w.CreateFormFile(name, "up.txt")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := f.Write(data); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		r, err := http.NewRequestWithContext(t.Context(), "POST", srv.APIURL()+"/v9/channels/"+dev+"/messages", &b)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bot "+srv.Token())
		r.Header.Set("Content-Type", w.FormDataContentType())
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		return resp.StatusCode
	}
	named := `{"attachments":[{"id":0,"filename":"named.txt","description":"d"}]}`
	if st := post(named, map[string][]byte{"files[0]": []byte("x")}); st != 200 {
		t.Errorf("status %d", st)
	}
	eleven := map[string][]byte{}
	for i := range 11 {
		eleven["files["+strconv.Itoa(i)+"]"] = []byte("x")
	}
	if st := post(`{}`, eleven); st != 400 {
		t.Errorf("11 files: %d", st)
	}
	if st := post(named, nil); st != 400 {
		t.Errorf("an attachment without its file: %d", st)
	}
	if st := post(`{}`, map[string][]byte{"files[0]": make([]byte, 10<<20+1)}); st != http.StatusRequestEntityTooLarge {
		t.Errorf("a big file: %d", st)
	}
	if m := srv.Transcript("dev"); len(m) != 1 || m[0].Files[0] != "named.txt" {
		t.Errorf("%v", m)
	}
}
