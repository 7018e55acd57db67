package config

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"bullpen/office"
	"bullpen/office/wake"
)

// laterProviders have a place in the format and no code yet. Files that name
// them, Agent Office's above all, load with a notice.
var laterProviders = []string{
	"anthropic", "gemini", "google", "github-copilot", "openai-codex", "google-gemini-cli", "google-antigravity",
}

var providerForm = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]*$`)

// readProviders reads the makers of models. openai needs no entry: its key is
// enough.
func (r *reader) readProviders() {
	allowed := func(name string) error {
		switch {
		case name == demoModel:
			return fmt.Errorf("%s is built in and cannot be another", demoModel)
		case !providerForm.MatchString(name):
			return fmt.Errorf("the provider's name %q must be made of a-z, 0-9, _ and -", bounded(name))
		}
		return nil
	}
	for _, e := range r.enrol(&r.providers, r.root.get("providers"), allowed) {
		p := r.provider(e)
		r.cfg.Providers[e.key] = p
		if p.Window > 0 {
			if r.cfg.Setup.Windows == nil {
				r.cfg.Setup.Windows = map[string]int{}
			}
			r.cfg.Setup.Windows[e.key] = p.Window
		}
	}
	r.secret(openAIKeyName, "OpenAI's models")
	_, declared := r.providers.find(openAIProvider)
	if key, ok := r.env(openAIKeyName); ok && key != "" && !declared {
		r.cfg.Providers[openAIProvider] = Provider{Kind: openAIProvider, BaseURL: defaultOpenAIURL, APIKey: NewSecret(key)}
	}
	r.cfg.Setup.Prices = prices(r.cfg.Providers)
}

func (r *reader) provider(e entry) Provider {
	n := e.value
	p := Provider{
		Kind: n.get("kind").or(openAIProvider), BaseURL: n.get("base_url").str(),
		APIKey: NewSecret(n.get("api_key").str()), Window: int(n.get("window").num()), Price: r.priceOf(n.get("price")),
	}
	for _, each := range n.get("prices").keys() {
		if price := r.priceOf(each.value); price != nil && !each.value.bad {
			if p.Prices == nil {
				p.Prices = map[string]office.Price{}
			}
			p.Prices[each.key] = *price
		}
	}
	if e.key == openAIProvider && n.lacks("base_url") {
		p.BaseURL = defaultOpenAIURL
		if n.lacks("api_key") { // the key is OpenAI's, and goes to no other address
			key, _ := r.env(openAIKeyName)
			p.APIKey = NewSecret(key)
		}
	}
	switch {
	case n.bad:
	case e.key == openAIProvider && p.BaseURL == defaultOpenAIURL && n.lacks("api_key") && p.APIKey.Empty():
		r.problem(e.at, n.path, "openai has no key", "add api_key: \"${"+openAIKeyName+"}\"")
	case n.lacks("base_url") && e.key != openAIProvider:
		r.problem(e.at, n.path, "base_url is missing", "add the address of its API, like http://127.0.0.1:11434/v1")
	case !p.APIKey.Empty() && p.BaseURL != "" && n.get("base_url") != nil:
		r.mustEncrypt(n.get("base_url"))
	}
	return p
}

// models reads a colleague's model and fallbacks. Those that cannot be had yet
// are left out; who is left with none has the demo, and a notice says so.
func (r *reader) models(e entry) (model string, fallback []string) {
	n := e.value
	var usable []string
	first := n.get("model")
	if n.lacks("model") && !n.bad {
		r.notice(e.at, n.path, e.key+" has no model; it uses demo, which is no language model", "add model: provider:model-id")
	}
	for _, m := range append([]*node{first}, n.get("fallback").all()...) {
		if m != nil && r.modelKnown(m) && !slices.Contains(usable, m.text) {
			usable = append(usable, m.text)
			r.mustCost(m)
		}
	}
	if first != nil && !first.bad && !r.built(first.text) {
		instead := demoModel + ", which is no language model"
		if len(usable) > 0 {
			instead = usable[0]
		}
		provider, _ := SplitModel(first.text)
		r.notice(first.at, first.path, fmt.Sprintf("the provider %s is not built yet; %s uses %s", provider, e.key, instead), "")
	}
	switch len(usable) {
	case 0:
		return demoModel, nil
	case 1:
		return usable[0], nil
	}
	return usable[0], usable[1:]
}

// built reports whether a model's provider has code.
func (r *reader) built(model string) bool {
	provider, _ := SplitModel(model)
	_, declared := r.providers.find(provider)
	return declared || !slices.Contains(laterProviders, provider)
}

// modelKnown reports whether a model can be used. It notes what is wrong; a
// fallback that is not built yet gets its notice here.
func (r *reader) modelKnown(n *node) bool {
	provider, id := SplitModel(n.text)
	_, declared := r.providers.find(provider)
	switch {
	case provider == demoModel:
		n.text = demoModel // there is one, whatever stands after a colon
		return true
	case !strings.Contains(n.text, ":"):
		r.wrong(n, r.shown(n)+" is not a model", "write provider:model-id, like openai:gpt-5, or demo")
	case id == "" || strings.ContainsAny(n.text, " \t"):
		r.wrong(n, r.shown(n)+" does not name a model", "write provider:model-id without spaces")
	case declared:
		return true
	case provider == openAIProvider:
		if _, ok := r.cfg.Providers[openAIProvider]; ok {
			return true
		}
		r.wrong(n, "openai needs ${"+openAIKeyName+"}, which is not set", "put "+openAIKeyName+"=… into the file .env beside this one, or into the environment")
	case slices.Contains(laterProviders, provider):
		if strings.HasSuffix(n.path, "]") {
			r.notice(n.at, n.path, "the provider "+provider+" is not built yet; this fallback is ignored", "")
		}
	default:
		r.unknownProvider(n, provider)
	}
	return false
}

func (r *reader) unknownProvider(n *node, provider string) {
	mend := "declare it under providers with its base_url"
	known := append([]string{demoModel, openAIProvider}, append(slices.Clone(laterProviders), r.providers.names...)...)
	if near := wake.Nearest(provider, known); near != "" {
		mend = fmt.Sprintf("did you mean %q? Else %s", near, mend)
	}
	what := fmt.Sprintf("no provider is called %q", bounded(provider))
	if n.variable != "" {
		what = r.shown(n) + " begins with no provider's name"
	}
	r.wrong(n, what, mend)
}
