package office

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestMoneyIsReadAsPeopleWriteIt(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"20 USD": "20 USD", "20USD": "20 USD", "20": "20 USD", "$20": "20 USD", " 0.5 usd ": "0.50 USD", "020.10": "20.10 USD",
		"0.000000000001 USD": "0.000000000001 USD", "0": "0 USD", "999999.99": "999999.99 USD", "1.2500": "1.25 USD",
		"": "", "USD": "", "-1 USD": "", "1e3": "", "1,5": "", "1.": "", ".5": "", "5 EUR": "", "$5 USD": "", "0.0000000000001": "", "1000000": "", "1_000": "",
	} {
		m, err := ParseMoney(text)
		if (err == nil) != (want != "") || err == nil && m.String() != want {
			t.Errorf("%q is %v (%v), want %q", text, m, err, want)
		}
	}
}

func TestMoneySurvivesTheRecord(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		m := Money(rapid.Int64Min(0).Draw(rt, "money"))
		text, err := json.Marshal(m)
		if err != nil {
			rt.Fatal(err)
		}
		var back Money
		if err := json.Unmarshal(text, &back); err != nil || back != m {
			rt.Fatalf("%d is written as %s and read as %d (%v)", int64(m), text, int64(back), err)
		}
	})
}

func TestSpentMoneyIsShownShort(t *testing.T) {
	t.Parallel()
	for m, want := range map[Money]string{
		0: "0 USD", 1: "0.0001 USD", Dollar / 3: "0.3334 USD", 5 * Dollar: "5 USD", Dollar + Dollar/3: "1.34 USD", math.MaxInt64: "9223372.036854775807 USD",
	} {
		if got := m.Short(); got != want {
			t.Errorf("%d is shown as %s, want %s", int64(m), got, want)
		}
	}
}

// usd is a price in US dollars per million tokens.
func usd(t *testing.T, perMillion string) Money {
	t.Helper()
	m, err := ParseMoney(perMillion)
	if err != nil || m%1_000_000 != 0 {
		t.Fatalf("%s: %v", perMillion, err)
	}
	return m / 1_000_000
}

// priced gives each model of acme a price, demo none, and the office budgets.
func priced(t *testing.T, office, colleague Money) func(*Setup) {
	t.Helper()
	return func(s *Setup) {
		s.Limits.Cost, s.Limits.ColleagueCost = office, colleague
		s.Prices = map[string]Price{
			"acme":       {Input: usd(t, "1.25"), CacheRead: usd(t, "0.125"), CacheWrite: usd(t, "1.5"), Output: usd(t, "10")},
			"acme:small": {Input: usd(t, "0.05"), CacheRead: usd(t, "0.005"), CacheWrite: usd(t, "0.05"), Output: usd(t, "0.4")},
			"demo":       {},
		}
	}
}

// pay lets a colleague's model answer for what a request used.
func (k *desk) pay(name, text string, used ...Usage) Progress {
	k.Helper()
	return k.must(Reply{Ref: k.ref(name), Text: text, Usage: used}).(Progress)
}

// dollars are a request that costs so many of them.
func dollars(n int64) Usage { return Usage{Ref: "acme:big", Output: n * 100_000} }

func TestARequestIsPricedByItsClassesOfTokens(t *testing.T) {
	t.Parallel()
	k := newDesk(t, priced(t, 0, 0))
	k.say("general", "@alice go")
	k.pay("alice", "done",
		Usage{Ref: "acme:small", Input: 1, Output: 1},
		Usage{Ref: "acme:big", Model: "big-2026", Input: 1000, CacheRead: 20_000, CacheWrite: 100, Output: 300, Reasoning: 250},
		Usage{Ref: "demo", Input: 1_000_000},
		Usage{Ref: "unknown:model", Input: 7})
	var got []string
	for _, u := range k.rec.usage {
		if u.Cost == nil {
			got = append(got, "unknown")
		} else {
			got = append(got, u.Cost.String())
		}
	}
	// 1000 × 1.25 + 20,000 × 0.125 + 100 × 1.5 + 300 × 10, of a million: what was
	// thought is in the output already.
	wantLines(t, "booked", got, "0.00000045 USD", "0.0069 USD", "0 USD", "unknown")
	s := k.rec.colleagues[k.id("alice")].Spent
	if s.Cost.String() != "0.00690045 USD" || s.Tokens-s.Priced != 7 || k.rec.meta.Spent.Cost != s.Cost {
		t.Errorf("counted %+v of alice, %+v of the office", s, k.rec.meta.Spent)
	}
}

func TestTheDefaultBudgetsAreFiveDollarsEachAndTwentyForAll(t *testing.T) {
	t.Parallel()
	k := newDesk(t, priced(t, 0, 0), func(s *Setup) {
		for _, name := range []string{"dora", "eve"} {
			s.Colleagues = append(s.Colleagues, ColleagueSetup{Name: name, Role: Member})
		}
	})
	over := func(name, want string) {
		t.Helper()
		rec := k.say("general", "@"+name+" and?")
		if why := rec.Deliveries[0].Detail; outcomes(rec) != name+" over-budget" || !strings.Contains(why, want) || !strings.Contains(why, "2026-12-01 00:00 UTC") {
			t.Errorf("%s: %q, want %q in it", outcomes(rec), why, want)
		}
	}
	for i, name := range []string{"alice", "bob", "carol", "dora"} {
		k.say("general", "@"+name+" go")
		k.pay(name, "NO_REPLY", dollars(4), Usage{Ref: "acme:big", Output: 99_999})
		if got := outcomes(k.say("general", "@"+name+" on")); got != name+" delivered" {
			t.Fatalf("%d. below 5 USD: %s", i, got)
		}
		k.pay(name, "NO_REPLY", Usage{Ref: "acme:big", Output: 1})
		if i < 3 {
			over(name, name+" has used its 5 USD of today")
		}
	}
	over("eve", "the office has used its 20 USD of today")
	k.now = time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	k.must(tick{})
	if k.running("alice") == nil || k.running("eve") == nil {
		t.Error("what was held did not go on at midnight")
	}
}

func TestTheOwnerIsToldOfMoneyAtEightyPercentAndAtTheEnd(t *testing.T) {
	t.Parallel()
	k := newDesk(t, priced(t, 30*Dollar, 5*Dollar))
	step := func(name string, n Usage, mails int, want string) {
		t.Helper()
		k.say("general", "@"+name+" go")
		k.pay(name, "NO_REPLY", n)
		told := k.mail()
		if len(told) != mails || mails > 0 && !strings.Contains(told[mails-1], want) {
			t.Fatalf("after %+v the owner was told %q; want %d, the last with %q", n, told, mails, want)
		}
	}
	step("alice", dollars(3), 0, "")
	step("alice", Usage{Ref: "acme:big", Output: 99_999}, 0, "")
	step("alice", Usage{Ref: "acme:big", Output: 1}, 1, "alice has used 4 USD of its 5 USD of today, which is over 80 %. At the limit, colleague_budget_per_day")
	k.takeOver()
	step("alice", Usage{Ref: "acme:small", Output: 1}, 1, "alice has used 4 USD")
	step("alice", dollars(1), 2, "alice has used its 5 USD of today. What reaches it now is held until 00:00 UTC; the limit is colleague_budget_per_day")
	step("bob", dollars(20), 4, "The office has used 25.01 USD of its 30 USD")
	step("carol", dollars(5), 6, "The office has used its 30 USD of today. What reaches colleagues now")
	// A higher budget is another one.
	next := k.s.Setup
	next.Limits.ColleagueCost = 100 * Dollar
	next.Limits.Cost = 60 * Dollar
	k.must(follow{next})
	if k.running("carol") != nil {
		t.Fatal("nothing was held for carol")
	}
	step("carol", dollars(30), 7, "The office has used its 60 USD")
}

func TestTokensOfUnknownPriceAreBoundedByTheirNumber(t *testing.T) {
	t.Parallel()
	k := newDesk(t, priced(t, 0, 0))
	k.say("general", "@alice @bob go")
	k.pay("alice", "NO_REPLY", Usage{Ref: "other:model", Input: colleagueUnpricedTokens})
	k.pay("bob", "NO_REPLY", Usage{Ref: "demo", Input: colleagueUnpricedTokens})
	rec := k.say("general", "@alice @bob on")
	if outcomes(rec) != "alice over-budget, bob delivered" || !strings.Contains(rec.Deliveries[0].Detail, "5,000,000 tokens of unknown price") {
		t.Errorf("%s: %q", outcomes(rec), rec.Deliveries[0].Detail)
	}
	// A limit that somebody set counts every token.
	next := k.s.Setup
	next.Limits.ColleagueTokens = 5_000_001
	k.must(follow{next})
	k.pay("bob", "NO_REPLY", Usage{Ref: "demo", Input: 1})
	if got := outcomes(k.say("general", "@alice @bob on")); got != "alice steered, bob over-budget" {
		t.Errorf("with a limit of tokens: %s", got)
	}
}

// A day that an older program counted knows its tokens and not what they cost.
func TestARecordOfTokensAloneIsReadable(t *testing.T) {
	t.Parallel()
	var s Spent
	if err := json.Unmarshal([]byte(`{"day":"2026-11-30","tokens":120,"near":true}`), &s); err != nil || s.Tokens != 120 || s.Tokens-s.Priced != 120 || !s.Near || s.Cost != 0 {
		t.Errorf("read %+v (%v)", s, err)
	}
	var u Usage
	if err := json.Unmarshal([]byte(`{"at":"2026-11-30T10:00:00Z","colleague":"c1","turn":1,"step":1,"model":"m","input":3,"output":1}`), &u); err != nil || u.Total() != 4 || u.Cost != nil {
		t.Errorf("read %+v (%v)", u, err)
	}
}

func TestWhatCannotBeCountedStaysTheMost(t *testing.T) {
	t.Parallel()
	p := Price{Input: Dollar, Output: Dollar}
	if got := p.Of(Usage{Input: math.MaxInt64, Output: math.MaxInt64}); got != math.MaxInt64 {
		t.Errorf("it costs %d", int64(got))
	}
}
