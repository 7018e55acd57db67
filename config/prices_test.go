package config

import (
	"fmt"
	"strings"
	"testing"

	"bullpen/office"
)

func TestWhatModelsCost(t *testing.T) {
	t.Parallel()
	const key = "providers: {openai: {api_key: '${OPENAI_API_KEY}'}}\n"
	for _, tc := range []struct {
		name, yaml, model string
		want              office.Price // of one token, in millionths of a millionth of a dollar
		unknown           bool
	}{
		{name: "a model of OpenAI's", yaml: key, model: "openai:gpt-5", want: office.Price{Input: 1_250_000, CacheRead: 125_000, CacheWrite: 1_250_000, Output: 10_000_000}},
		{name: "a dated one", yaml: key, model: "openai:gpt-5-nano-2025-08-07", want: office.Price{Input: 50_000, CacheRead: 5000, CacheWrite: 50_000, Output: 400_000}},
		{name: "one that nobody knows", yaml: key, model: "openai:gpt-9", unknown: true},
		{name: "a configured price wins", yaml: "providers: {openai: {api_key: '${OPENAI_API_KEY}', prices: {gpt-5: {input: 1, output: 2.5, cache_read: 0.000001}}}}\n", model: "openai:gpt-5", want: office.Price{Input: 1_000_000, CacheRead: 1, CacheWrite: 1_000_000, Output: 2_500_000}},
		{name: "one for all of a provider as well", yaml: "providers: {openai: {api_key: '${OPENAI_API_KEY}', price: {input: 3, output: 4}}}\n", model: "openai:gpt-5", want: office.Price{Input: 3_000_000, CacheRead: 3_000_000, CacheWrite: 3_000_000, Output: 4_000_000}},
		{name: "the same name elsewhere is another model", yaml: "providers: {own: {base_url: 'http://127.0.0.1:1/v1'}}\n", model: "own:gpt-5", unknown: true},
		{name: "of one's own machine", yaml: "providers: {own: {base_url: 'http://127.0.0.1:1/v1', price: {input: 0, output: 0}}}\n", model: "own:llama"},
		{name: "the demo costs nothing", model: "demo"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			cfg := mustLoad(t, tc.yaml+"agents: {bob: {model: '"+tc.model+"'}, eve: {model: '"+tc.model+"'}}\n")
			provider, _ := SplitModel(tc.model)
			got, known := cfg.Setup.Prices[tc.model]
			if !known {
				got, known = cfg.Setup.Prices[provider]
			}
			if known == tc.unknown || got != tc.want {
				t.Errorf("it costs %+v (known: %v), want %+v", got, known, tc.want)
			}
			notices := fmt.Sprint([]Problem(cfg.Notices))
			if n := strings.Count(notices, "the price of "+tc.model+" is unknown"); n > 1 || (n == 1) != tc.unknown {
				t.Errorf("notices: %s", notices)
			}
		})
	}
}

func TestBudgetsAreWrittenInDollars(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]office.Money{"20 USD": 20 * office.Dollar, "0.50": office.Dollar / 2, "$3": 3 * office.Dollar, "'7 USD'": 7 * office.Dollar} {
		cfg := mustLoad(t, "office: {limits: {budget_per_day: "+text+", colleague_budget_per_day: "+text+"}}\n"+bob)
		if l := cfg.Setup.Limits; l.Cost != want || l.ColleagueCost != want {
			t.Errorf("%s is %s and %s", text, l.Cost, l.ColleagueCost)
		}
	}
}
