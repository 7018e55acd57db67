package config

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
	"gopkg.in/yaml.v3"
)

var update = flag.Bool("update", false, "write docs/office.schema.json anew")

func TestTheKeptSchemaIsThatOfTheTable(t *testing.T) {
	t.Parallel()
	made, err := JSONSchema()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("..", "docs", "office.schema.json")
	if *update {
		if err := os.WriteFile(path, made, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(kept), string(made)); diff != "" {
		t.Errorf("docs/office.schema.json is not up to date; run go test ./config -run Schema -update (-kept +made):\n%s", diff)
	}
}

// resolved is the schema as another program understands it.
func resolved(t *testing.T) *jsonschema.Resolved {
	t.Helper()
	made, err := JSONSchema()
	if err != nil {
		t.Fatal(err)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(made, &s); err != nil {
		t.Fatal(err)
	}
	r, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func asJSON(t *testing.T, text string) any {
	t.Helper()
	var v any
	if err := yaml.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var out any
	if err := json.Unmarshal(b, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestTheSchemaTakesWhatLoads(t *testing.T) {
	t.Parallel()
	r := resolved(t)
	for name, text := range map[string]string{
		"the example": Example, "the first office": scaffold, "Agent Office's": agentOffice, "a short one": bob, "the team": team,
	} {
		if err := r.Validate(asJSON(t, text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTheSchemaRefusesWhatDoesNotLoad(t *testing.T) {
	t.Parallel()
	r := resolved(t)
	for _, text := range []string{
		"agnets: {}", "agents: [a]", "agents: {a: {thinking: hard}}", "office: {limits: {max_depth: 0}}", "office: {limits: {turn_time: 30}}",
		"adapters: {slack: {bot_token: xoxb-1}}", "people: {a: {admin: maybe}}", "office: {channels: {dev: {members: bob}}}", "people: {a: {slack: bob}}",
	} {
		if err := r.Validate(asJSON(t, text)); err == nil {
			t.Errorf("it takes %s", text)
		}
		if _, problems := parse([]byte(text+"\n"+strings.TrimPrefix(bob, "\n")), "acme", known); !problems.fatal() {
			t.Errorf("the loader takes %s", text)
		}
	}
}
