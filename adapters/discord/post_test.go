package discord

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	sim "bullpen/internal/sim/discord"
	"bullpen/office"
	"bullpen/office/model"
)

// answering makes every turn end with a text.
func answering(said string) func(*world) {
	return func(w *world) {
		w.Answer = func(context.Context, string, *model.Request) (*model.Response, error) { return text(said), nil }
	}
}

// plainLook takes the right to make webhooks away.
func plainLook(w *world) { w.sim.Guilds[0].Bot = sim.Everything &^ sim.ManageWebhooks }

// A post of unknown end is looked up and made again only if it is not there (B48):
// through a webhook, as the bot, in a direct message.
func TestAPostOfUnknownEndIsShownOnce(t *testing.T) {
	for name, f := range map[string]sim.Fault{"the answer is lost": sim.LostReply(), "the call is lost": sim.LostCall(), "502": sim.ServerError(502), "500": sim.ServerError(500)} {
		for kind, tc := range map[string]struct {
			route  string
			change func(*world)
			say    func(w *world)
			in     string
			want   string
		}{
			"webhook": {sim.RouteWebhook, func(*world) {}, func(w *world) { w.says("kim", dev, "@alice hi") }, dev, "alice: ok"},
			"bot":     {sim.RouteSend, plainLook, func(w *world) { w.says("kim", dev, "@alice hi") }, dev, "office: **alice**\nok"},
			"direct":  {sim.RouteSend, func(*world) {}, func(w *world) { w.says("maria", "", "hi") }, "@maria", "office: **alice**\nok"},
		} {
			t.Run(name+", "+kind, func(t *testing.T) {
				bubble(t, func(w *world) {
					w.connected()
					w.srv.FailNext(tc.route, f)
					tc.say(w)
					time.Sleep(5 * time.Minute)
					w.Idle()
					w.shows(tc.in, tc.want)
					if len(w.Turns()) != 1 || w.srv.PlannedFaults() != 0 {
						t.Errorf("%q, %d faults left", w.Turns(), w.srv.PlannedFaults())
					}
				}, tc.change)
			})
		}
	}
}

// The process dies between Discord's acceptance and the record of it, and starts
// three times (B48). The same words said before are not taken for it.
func TestACrashAfterASendShowsItOnce(t *testing.T) {
	for _, lost := range []sim.Fault{sim.LostReply(), sim.LostCall()} {
		t.Run(fmt.Sprint(lost.Cut), func(t *testing.T) {
			bubble(t, func(w *world) {
				w.connected()
				w.says("kim", dev, "@alice hi")
				w.shows(dev, "alice: ok")
				w.Idle()
				w.srv.FailNext(sim.RouteWebhook, lost)
				w.says("kim", dev, "@alice again")
				w.Until("the fault is met", func() bool { return w.srv.PlannedFaults() == 0 })
				for range 3 {
					w.Shut()
					w.start()
					w.connected()
				}
				time.Sleep(5 * time.Minute)
				w.Idle()
				if got := w.texts(dev); len(got) != 2 || len(w.Turns()) != 2 {
					t.Errorf("%q, %q", got, w.Turns())
				}
			})
		})
	}
}

// What was sent with a link to what it answers is recognised after a restart also
// while the server has not been found yet.
func TestAnAnswerWithALinkIsFoundBeforeTheServerIs(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		w.srv.FailNext(sim.RouteWebhook, sim.Limited(2*time.Second), sim.LostReply())
		w.says("kim", dev, "@alice hi")
		w.says("kim", dev, "something else")
		w.Until("the answer is lost", func() bool { return w.srv.PlannedFaults() == 0 })
		w.Shut()
		w.srv.FailNext("GET /guilds/{guild}/channels", sim.Fault{Delay: 90 * time.Second})
		w.start()
		time.Sleep(5 * time.Minute)
		w.connected().Idle()
		if got := w.texts(dev); len(got) != 1 || !strings.Contains(got[0], "https://discord.com/channels/") || w.srv.PlannedFaults() != 0 {
			t.Errorf("%q", got)
		}
	})
}

// A 429 keeps the route quiet for as long as Discord says, also across a restart,
// and other places go on; a global one keeps everything quiet.
func TestRateLimitsAreObeyed(t *testing.T) {
	for name, tc := range map[string]struct {
		fault  sim.Fault
		global bool
	}{"of a route": {sim.Limited(40 * time.Second), false}, "global": {sim.Fault{RetryAfter: 40 * time.Second, Global: true}, true}} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(w *world) {
				w.connected()
				w.srv.FailNext(sim.RouteWebhook, tc.fault)
				begin := time.Now()
				w.says("kim", dev, "@alice hi")
				w.Until("it is limited", func() bool { return w.srv.PlannedFaults() == 0 })
				w.says("maria", "", "hi")
				w.Until("the other place goes on", func() bool { return len(w.entries("@maria")) == 1 })
				if d := time.Since(begin); tc.global != (d > 35*time.Second) {
					t.Errorf("the other place waited %s", d)
				}
				if !tc.global {
					w.Shut()
					w.start()
				}
				w.Until("it comes", func() bool { return len(w.entries(dev)) == 1 })
				if d := time.Since(begin); d < 40*time.Second || d > 60*time.Second {
					t.Errorf("it came after %s", d)
				}
				if n := len(w.srv.Calls(sim.RouteWebhook)); n != 2 {
					t.Errorf("%d posts", n)
				}
			})
		})
	}
}

// A limit holds for all that is posted in a place, receipts among it, across a restart;
// another place does not wait (B27).
func TestALimitHoldsForReceiptsAcrossARestart(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		w.srv.FailNext(sim.RouteWebhook, sim.Limited(40*time.Second))
		w.says("kim", dev, "@alice hi")
		w.Until("it is limited", func() bool { return w.srv.PlannedFaults() == 0 })
		limited := time.Now()
		time.Sleep(20 * time.Second)
		w.Shut()
		w.start()
		w.connected()
		w.says("kim", dev, "@alice and #dev") // which is explained to its writer
		w.says("maria", "", "hi")
		w.Until("the other place goes on", func() bool { return len(w.entries("@maria")) == 1 })
		if d := time.Since(limited); d > 35*time.Second {
			t.Errorf("another place waited %s", d)
		}
		w.Until("both are shown", func() bool { return len(w.entries(dev)) == 2 })
		for _, c := range slices.Concat(w.srv.Calls(sim.RouteWebhook)[1:], w.srv.Calls(sim.RouteSend)) {
			if d := c.Time.Sub(limited); (c.Route == sim.RouteWebhook || strings.Contains(c.Path, dev)) && d < 39*time.Second {
				t.Errorf("%s after %s", c.Path, d)
			}
		}
	})
}

// Where Discord's headers say that nothing is left, we wait and meet no 429.
func TestTheHeadersAreObeyedBeforeCalling(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		for i := range 20 {
			if _, err := w.Office.Post(context.Background(), office.Post{Person: "maria", Channel: "dev", Text: fmt.Sprintf("post %02d", i)}); err != nil {
				t.Fatal(err)
			}
		}
		w.Until("all are shown", func() bool { return len(w.entries(dev)) == 20 })
		var want []string
		for i := range 20 {
			want = append(want, fmt.Sprintf("Maria: post %02d", i))
		}
		if got := w.texts(dev); !slices.Equal(got, want) {
			t.Errorf("%q", got)
		}
		for _, c := range w.srv.Calls() {
			if c.Status == 429 {
				t.Errorf("%s was limited: %s", c.Route, c.Error)
			}
		}
	}, func(w *world) { w.sim.RateLimits = true })
}

func TestAWebhookThatIsDeletedIsMadeAgainOnce(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		w.says("kim", dev, "@alice hi")
		w.shows(dev, "alice: ok")
		w.Idle()
		w.srv.DeleteWebhooks(dev)
		w.says("kim", dev, "@bob hi")
		w.shows(dev, "alice: ok", "bob: ok")
		w.says("kim", dev, "@bob again")
		w.shows(dev, "alice: ok", "bob: ok", "bob: ok")
		if n := len(w.srv.Calls(sim.RouteNewWebhook)); n != 2 {
			t.Errorf("%d webhooks were made", n)
		}
	})
}

// A missing right costs the look, not the message, and is told; given back, the
// look returns (B80).
func TestWithoutWebhooksTheNameStandsInFront(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		id := w.says("kim", dev, "@alice hi")
		w.shows(dev, "office: **alice**\nok")
		if e := w.entries(dev)[0]; e.ReplyTo != id || len(e.Pings) != 0 {
			t.Errorf("%+v", e)
		}
		if !strings.Contains(w.State(), "Manage Webhooks") {
			t.Errorf("%s", w.State())
		}
		if err := w.srv.Permit(server, sim.Everything); err != nil {
			t.Fatal(err)
		}
		w.Idle()
		w.says("kim", dev, "@alice hi")
		w.shows(dev, "office: **alice**\nok", "alice: ok")
		if strings.Contains(w.State(), "Manage Webhooks") {
			t.Errorf("%s", w.State())
		}
	}, plainLook)
}

// Nothing that anybody writes pings everyone, a role or somebody whom the office
// did not mean, on any path; a person who is meant is pinged (B23).
func TestOnlyWhomTheOfficeMeansIsPinged(t *testing.T) {
	const said = "say @everyone, @here, <@&%s> and <!channel> to @Maria and <@1100000000000000102>"
	for name, change := range map[string]func(*world){"webhook": func(*world) {}, "bot": plainLook} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(w *world) {
				w.connected()
				w.says("kim", dev, "@alice repeat it")
				w.Until("she does", func() bool { return len(w.entries(dev)) == 1 })
				w.says("maria", "", "repeat it")
				w.Until("she does", func() bool { return len(w.entries("@maria")) == 1 })
				w.says("kim", dev, "@office status @everyone")
				w.Idle()
				e := w.entries(dev)[0]
				if !slices.Equal(e.Pings, []string{"maria"}) || !strings.Contains(e.Text, "say @everyone, @here, ") || !strings.Contains(e.Text, "to @Maria and") {
					t.Errorf("%q pings %q", e.Text, e.Pings)
				}
				for _, c := range w.srv.Calls(sim.RouteWebhook, sim.RouteSend, sim.RouteEdit) {
					var body struct {
						Allowed *struct {
							Parse []string `json:"parse"`
							Users []string `json:"users"`
						} `json:"allowed_mentions"`
					}
					if err := json.Unmarshal(c.Body, &body); err != nil || body.Allowed == nil || len(body.Allowed.Parse) > 0 {
						t.Errorf("%s: %s", c.Route, c.Body)
					}
				}
				for _, place := range []string{dev, "@maria"} {
					for _, e := range w.entries(place) {
						for _, p := range e.Pings {
							if p != "maria" {
								t.Errorf("%s pings %s", e, p)
							}
						}
					}
				}
			}, change, func(w *world) {
				w.Answer = func(context.Context, string, *model.Request) (*model.Response, error) {
					return text(fmt.Sprintf(said, strings.Trim(w.srv.Mention("guests"), "<@&>"))), nil
				}
			})
		})
	}
}

// Whatever a colleague is called, it is told apart and its posts arrive (B80).
func TestEveryNameIsShown(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		var want []string
		for i, c := range w.Setup.Colleagues {
			// Typed at the console: on Discord itself @here is everybody.
			if _, err := w.Office.Post(context.Background(), office.Post{Person: "maria", Channel: "dev", Text: fmt.Sprintf("@%s %d", c.Name, i)}); err != nil {
				t.Fatal(err)
			}
			w.Until("the answer", func() bool { return len(w.entries(dev)) == 2*i+2 })
			want = append(want, fmt.Sprintf("Maria: @%s %d", c.Name, i), persona(c.Name)+": ok")
		}
		if got := w.texts(dev); !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
		if !strings.Contains(w.State(), "clyde as c·lyde") || !strings.Contains(w.State(), "Discord-helper as D·iscord-helper") {
			t.Errorf("%s", w.State())
		}
	}, func(w *world) {
		w.Setup.Colleagues, w.Setup.Channels = nil, []office.ChannelSetup{{Name: "dev"}}
		for i, name := range []string{"ada", "clyde", "here", "Discord-helper"} {
			w.Setup.Colleagues = append(w.Setup.Colleagues, office.ColleagueSetup{Name: name, Role: office.Member, Model: fmt.Sprint(i)})
			w.Setup.Channels[0].Members = append(w.Setup.Channels[0].Members, name)
		}
		w.Setup.FrontDesk = "ada"
	})
}

func TestPersonasFitDiscord(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"alice": "alice", "CLYDE": "C·LYDE", "my discord  bot": "my d·iscord bot", "🙂": "🙂", strings.Repeat("x", 90): strings.Repeat("x", 79) + "…",
	} {
		if got := persona(in); got != want {
			t.Errorf("%q is shown as %q, want %q", in, got, want)
		}
	}
}

// A long answer comes in parts, in order, each within Discord's limit after all that
// is added; a part that is refused stops the later ones (B16, B24).
func TestALongAnswerComesInOrder(t *testing.T) {
	long := strings.Repeat("prose with `code` and **bold** words. ", 60) + "\n```python\n" + strings.Repeat("print('x' * 10)\n", 300) + "```\nthe end"
	for name, faults := range map[string][]sim.Fault{
		"slow and limited": {{Delay: 800 * time.Millisecond}, {Delay: 10 * time.Millisecond}, sim.Limited(3 * time.Second)},
		"part two refused": {{}, sim.Refused(200000)},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(w *world) {
				w.connected()
				w.srv.FailNext(sim.RouteWebhook, faults...)
				w.says("kim", dev, "@alice go")
				time.Sleep(2 * time.Minute)
				w.Idle()
				all := ""
				for _, e := range w.entries(dev) {
					if n := len([]rune(e.Wire)); n > 2000 || strings.Count(e.Wire, "```")%2 != 0 {
						t.Errorf("a part of %d characters: %q", n, e.Wire)
					}
					all += e.Wire
				}
				refused := len(faults) == 2
				if whole := strings.HasPrefix(all, "prose") && strings.Count(all, "print(") == 300 && strings.HasSuffix(all, "the end"); whole == refused {
					t.Errorf("shown: %d parts, %d characters", len(w.entries(dev)), len(all))
				}
				if refused && (len(w.entries(dev)) != 1 || !strings.Contains(strings.Join(w.texts("@maria"), "\n"), "AutoMod")) {
					t.Errorf("%q", w.texts("@maria"))
				}
			}, answering(long))
		})
	}
}
