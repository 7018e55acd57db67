package config

// Provider is one maker of models.
type Provider struct {
	Kind    string // openai: anything that speaks its Chat Completions API
	BaseURL string
	APIKey  Secret // empty where none is asked for
	// Window is how many tokens its models take in; 0 is unknown.
	Window int
	// Price is what its models cost; nil is unknown, which is never free.
	Price *Price
}

// Price is in US dollars per million tokens.
type Price struct{ Input, Output, CacheRead, CacheWrite float64 }
