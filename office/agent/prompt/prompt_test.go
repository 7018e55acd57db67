package prompt_test

import (
	"regexp"
	"strings"
	"testing"

	"bullpen/office/agent/prompt"
)

func full() prompt.Input {
	return prompt.Input{
		Office: "Kontor", About: "We build boats.", Name: "alice", Role: "leader", Description: "Plans the hulls.",
		ReportsTo: "carol", Reports: []string{"bob", "dan"}, Custom: "Always answer in verse.", Env: []string{"API_URL", "PAGE_SIZE"},
	}
}

func TestTheSameInputGivesTheSameBytes(t *testing.T) {
	t.Parallel()
	first := prompt.Compose(full())
	for range 50 {
		again := prompt.Compose(full())
		if again.Text != first.Text || again.Hash() != first.Hash() {
			t.Fatal("the prompt changed by itself")
		}
	}
	if !regexp.MustCompile(`^[0-9a-f]{12}$`).MatchString(first.Hash()) {
		t.Errorf("hash %q", first.Hash())
	}
	if regexp.MustCompile(`20\d\d-\d\d|\d\d:\d\d`).MatchString(first.Text) {
		t.Error("the prompt holds a time")
	}
}

func TestEveryInputIsInThePromptAndItsHash(t *testing.T) {
	t.Parallel()
	seen := map[string]string{prompt.Compose(full()).Hash(): "nothing changed"}
	for name, change := range map[string]func(*prompt.Input){
		"office":      func(in *prompt.Input) { in.Office = "X1" },
		"about":       func(in *prompt.Input) { in.About = "X1" },
		"name":        func(in *prompt.Input) { in.Name = "X1" },
		"role":        func(in *prompt.Input) { in.Role = "X1" },
		"description": func(in *prompt.Input) { in.Description = "X1" },
		"reports to":  func(in *prompt.Input) { in.ReportsTo = "X1" },
		"reports":     func(in *prompt.Input) { in.Reports = []string{"X1"} },
		"variables":   func(in *prompt.Input) { in.Env = []string{"X1"} },
		"custom":      func(in *prompt.Input) { in.Custom = "X1" },
	} {
		in := full()
		change(&in)
		p := prompt.Compose(in)
		if !strings.Contains(p.Text, "X1") {
			t.Errorf("%s is not in the prompt", name)
		}
		if other, twice := seen[p.Hash()]; twice {
			t.Errorf("%s has the hash of %s", name, other)
		}
		seen[p.Hash()] = name
	}
}

func TestLayersStandInTheirOrder(t *testing.T) {
	t.Parallel()
	p := prompt.Compose(full())
	var names []string
	at := -1
	for _, l := range p.Layers {
		names = append(names, l.Name)
		i := strings.Index(p.Text, l.Text)
		if i <= at {
			t.Errorf("layer %s stands at %d", l.Name, i)
		}
		at = i
	}
	if got := strings.Join(names, " "); got != "base office hierarchy runtime identity custom" {
		t.Errorf("layers %s", got)
	}
}

func TestLayersWithoutMatterAreLeftOut(t *testing.T) {
	t.Parallel()
	p := prompt.Compose(prompt.Input{Office: "Kontor", Name: "alice", Role: "member", Custom: " \n"})
	for _, l := range p.Layers {
		if l.Name == "hierarchy" || l.Name == "runtime" || l.Name == "custom" {
			t.Errorf("layer %s is there: %q", l.Name, l.Text)
		}
	}
	if strings.Contains(p.Text, "\n\n\n") || strings.HasSuffix(p.Text, "\n\n") {
		t.Error("an empty layer left its lines")
	}
}
