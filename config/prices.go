package config

import (
	"fmt"

	"bullpen/office"
)

// moneyForm is how an amount of money is written, for the JSON Schema.
const moneyForm = `^(\$?[0-9]+(\.[0-9]+)?|[0-9]+(\.[0-9]+)? ?(USD|usd))$`

// thousandth is a thousandth of a US dollar per million tokens: that of one token.
const thousandth = office.Dollar / 1000 / 1_000_000

// openAIPrices are what OpenAI takes for its models where office.yaml does not say
// otherwise: standard processing, in thousandths of a US dollar per million tokens of
// input, cached input and output; what is thought is billed as output, and keeping a
// prompt for the next request costs nothing more than its input.
//
// Source: https://platform.openai.com/docs/pricing, as of December 2025. A model
// that is not here has no known price.
var openAIPrices = map[string][3]office.Money{
	"gpt-5.2": {1750, 175, 14_000}, "gpt-5.2-2025-12-11": {1750, 175, 14_000},
	"gpt-5.1": {1250, 125, 10_000}, "gpt-5.1-2025-11-13": {1250, 125, 10_000},
	"gpt-5": {1250, 125, 10_000}, "gpt-5-2025-08-07": {1250, 125, 10_000},
	"gpt-5-mini": {250, 25, 2000}, "gpt-5-mini-2025-08-07": {250, 25, 2000},
	"gpt-5-nano": {50, 5, 400}, "gpt-5-nano-2025-08-07": {50, 5, 400},
	"gpt-4.1": {2000, 500, 8000}, "gpt-4.1-2025-04-14": {2000, 500, 8000},
	"gpt-4.1-mini": {400, 100, 1600}, "gpt-4.1-mini-2025-04-14": {400, 100, 1600},
	"gpt-4.1-nano": {100, 25, 400}, "gpt-4.1-nano-2025-04-14": {100, 25, 400},
	"gpt-4o": {2500, 1250, 10_000}, "gpt-4o-2024-08-06": {2500, 1250, 10_000}, "gpt-4o-2024-11-20": {2500, 1250, 10_000},
	"gpt-4o-mini": {150, 75, 600}, "gpt-4o-mini-2024-07-18": {150, 75, 600},
	"o3": {2000, 500, 8000}, "o3-2025-04-16": {2000, 500, 8000},
	"o4-mini": {1100, 275, 4400}, "o4-mini-2025-04-16": {1100, 275, 4400},
}

// prices are what the models of the providers cost, as far as that is known: what is
// configured, else what OpenAI takes for its own.
func prices(providers map[string]Provider) map[string]office.Price {
	all := map[string]office.Price{demoModel: {}}
	for name, p := range providers {
		switch {
		case p.Price != nil:
			all[name] = *p.Price
		case p.BaseURL == defaultOpenAIURL:
			for id, x := range openAIPrices {
				all[name+":"+id] = office.Price{
					Input: x[0] * thousandth, CacheRead: x[1] * thousandth, CacheWrite: x[0] * thousandth, Output: x[2] * thousandth,
				}
			}
		}
		for id, price := range p.Prices {
			all[name+":"+id] = price
		}
	}
	return all
}

// priceOf reads a price; nil: there is none. What a cache costs is what the input
// costs where nobody says.
func (r *reader) priceOf(n *node) *office.Price {
	if n == nil {
		return nil
	}
	for _, key := range []string{"input", "output"} {
		if n.lacks(key) {
			r.problem(n.at, n.path, key+" is missing", "give input and output, in US dollars per million tokens")
		}
	}
	amount := func(key string) office.Money {
		v := n.get(key)
		if v == nil {
			v = n.get("input")
		}
		return office.Money(v.num())
	}
	return &office.Price{Input: amount("input"), Output: amount("output"), CacheRead: amount("cache_read"), CacheWrite: amount("cache_write")}
}

// mustCost says once of a model in use that nobody knows what it costs.
func (r *reader) mustCost(n *node) {
	provider, _ := SplitModel(n.text)
	_, priced := r.cfg.Setup.Prices[n.text]
	_, alike := r.cfg.Setup.Prices[provider]
	if priced || alike || r.unpriced[n.text] {
		return
	}
	if r.unpriced == nil {
		r.unpriced = map[string]bool{}
	}
	r.unpriced[n.text] = true
	r.notice(n.at, n.path, fmt.Sprintf("the price of %s is unknown: no budget in USD bounds it, only tokens_per_day and colleague_tokens_per_day", bounded(n.text)),
		fmt.Sprintf("add price: {input: …, output: …} to providers.%s, in USD per million tokens", provider))
}
