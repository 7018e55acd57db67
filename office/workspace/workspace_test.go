package workspace_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bullpen/office/workspace"
)

// machine is a home folder with an office in it, another office, and folders to
// work in. It returns the office.
func machine(t *testing.T) (o workspace.Office, home string) {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	home = filepath.Join(home, "home", "kim")
	dir := filepath.Join(home, "places", "acme")
	for _, name := range []string{
		"shop/src", "secrets", "places/acme/agents/alice/workspace", "places/acme/agents/bob", "places/acme/archive",
		"places/acme/logs", "places/acme/files", "places/acme/shared", "places/other/shared", ".bullpen/offices", "data/carol",
	} {
		if err := os.MkdirAll(filepath.Join(home, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"places/acme/office.yaml", "places/other/office.yaml", "secrets/env", "note"} {
		if err := os.WriteFile(filepath.Join(home, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{
		"toshop": "shop", "tooffice": "places/acme", "tobob": "places/acme/agents/bob", "tohome": ".", "toroot": "/", "tonothing": "nothing",
		"round": "round", "places/acme/.env": filepath.Join(home, "secrets/env"), "places/acme/agents/carol": filepath.Join(home, "data/carol"),
	} {
		if err := os.Symlink(to, filepath.Join(home, link)); err != nil {
			t.Fatal(err)
		}
	}
	return workspace.Office{Dir: dir, Home: home}, home
}

func TestAFolderIsFound(t *testing.T) {
	t.Parallel()
	o, home := machine(t)
	through := workspace.Office{Dir: filepath.Join(home, "tooffice"), Home: filepath.Join(home, "tohome")}
	for written, want := range map[string]string{
		filepath.Join(home, "shop"):               "shop",
		filepath.Join(home, "shop", "..", "shop"): "shop",
		"~/shop":            "shop",
		"~/toshop":          "shop",
		"~/toshop/src":      "shop/src",
		"shared":            "places/acme/shared",
		"./shared/":         "places/acme/shared",
		"~/tooffice/shared": "places/acme/shared",
	} {
		for _, office := range []workspace.Office{o, through} {
			if got, err := office.Resolve(written); err != nil || got != filepath.Join(home, want) {
				t.Errorf("%s is %s (%v), want %s", written, got, err, want)
			}
		}
	}
}

// Nobody works where secrets or the work of others lie, however the way there is
// written.
func TestFoldersThatAreRefused(t *testing.T) {
	t.Parallel()
	o, home := machine(t)
	through := workspace.Office{Dir: filepath.Join(home, "tooffice"), Home: filepath.Join(home, "tohome")}
	for written, want := range map[string]string{
		"":                                    "names no folder",
		" ":                                   "names no folder",
		"~maria/x":                            "your own home folder alone",
		"~/nothing":                           "does not exist",
		"~/tonothing":                         "does not exist",
		"~/round":                             "cannot be looked at",
		"~/note":                              "is no folder",
		"~/note/x":                            "cannot be looked at",
		"/":                                   "the root of this machine",
		"~/toroot":                            "the root of this machine",
		"/proc":                               "shows what the office's process knows",
		"/dev":                                "shows what the office's process knows",
		"/proc/self":                          "shows what the office's process knows",
		"~":                                   "is your home folder, or holds it",
		"~/":                                  "is your home folder, or holds it",
		"~/tohome":                            "is your home folder, or holds it",
		"~/..":                                "is your home folder, or holds it",
		".":                                   "is the office's folder, or holds it",
		"~/places":                            "is the office's folder, or holds it",
		"~/tooffice":                          "is the office's folder, or holds it",
		"..":                                  "or holds it",
		"~/.bullpen":                          "holds the folders of offices",
		"~/places/other":                      "another office",
		"~/places/other/shared":               "another office",
		"~/secrets":                           "holds the office's .env",
		"agents":                              "keeps for itself and its colleagues",
		"agents/bob":                          "keeps for itself and its colleagues",
		"~/tobob":                             "keeps for itself and its colleagues",
		"agents/alice/workspace":              "keeps for itself and its colleagues",
		"~/data":                              "keeps for itself and its colleagues",
		"~/data/carol":                        "keeps for itself and its colleagues",
		"logs":                                "keeps for itself and its colleagues",
		"archive":                             "keeps for itself and its colleagues",
		filepath.Join(home, "tooffice/files"): "keeps for itself and its colleagues",
	} {
		for _, office := range []workspace.Office{o, through} {
			got, err := office.Resolve(written)
			refusal := (*workspace.Refusal)(nil)
			if !errors.As(err, &refusal) || !strings.Contains(refusal.Why, want) || refusal.Mend == "" || got != "" {
				t.Errorf("%q is %s (%v), want a refusal: %s", written, got, err, want)
			}
		}
	}
	if _, err := (workspace.Office{Dir: o.Dir}).Resolve("~/shop"); err == nil || !strings.Contains(err.Error(), "write the whole path") {
		t.Errorf("without a home folder: %v", err)
	}
}

// What lies in memory is a folder as any other.
func TestAFolderInMemory(t *testing.T) {
	t.Parallel()
	o, _ := machine(t)
	dir, err := os.MkdirTemp("/dev/shm", "bullpen-workspace-")
	if err != nil {
		return // a machine that has none
	}
	defer os.RemoveAll(dir) //nolint:errcheck // it is of no more use
	want, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := o.Resolve(dir); err != nil || got != want {
		t.Errorf("it is %q (%v)", got, err)
	}
	if _, err := o.Resolve("/dev/shm"); err == nil && want == dir {
		t.Error("all of it may be a workspace")
	}
}
