package config

import "bullpen/office"

// Provider is one maker of models.
type Provider struct {
	Kind    string // openai: anything that speaks its Chat Completions API
	BaseURL string
	APIKey  Secret // empty where none is asked for
	// Window is how many tokens its models take in; 0 is unknown.
	Window int
	// Price is what its models cost, but for those of Prices, which are known by their
	// ids; nil is unknown, which is never free.
	Price  *office.Price
	Prices map[string]office.Price
}
