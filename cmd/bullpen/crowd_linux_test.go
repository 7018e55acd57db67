package main

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
)

// TestAThousandIdleColleagues: whoever has nothing to do costs next to nothing. The
// bound is generous: 10,000 colleagues in 100 offices take 60 MB, see bench.
func TestAThousandIdleColleagues(t *testing.T) {
	t.Parallel()
	h := newHousehold(t)
	const offices, each, most = 20, 50, 100 << 20
	for i := range offices {
		var yaml strings.Builder
		fmt.Fprintf(&yaml, "office: {name: Office %d}\nagents:\n", i)
		for j := range each {
			fmt.Fprintf(&yaml, "  worker%d: {model: demo, description: does what it is told}\n", j)
		}
		dir := h.dir(fmt.Sprint("o", i))
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(dir+"/office.yaml", []byte(yaml.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	l := h.launch("up", "--all")
	l.program = ordinary
	p := start(t, l)
	p.await(p.err, ": open", offices)
	if got := resident(t, p); got > most {
		t.Errorf("%d colleagues in %d offices take %d MB, want %d at most", offices*each, offices, got>>20, most>>20)
	}
	p.signal(syscall.SIGTERM)
	p.wantExit(0)
}
