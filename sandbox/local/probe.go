package local

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"bullpen/sandbox"
)

// probeTime is how long trying bubblewrap may take.
const probeTime = 10 * time.Second

// mend ends each sentence about why nothing confines.
const mend = "use the docker sandbox, or write sandbox.confine: off to run commands with the office's rights"

// probe finds bubblewrap and tries whether it confines on this machine. The
// error is a sentence that says why not.
func probe(ctx context.Context, o Options) (*bwrap, error) {
	path := o.Bwrap
	if path == "" {
		found, err := exec.LookPath("bwrap")
		if err != nil {
			return nil, fmt.Errorf("bubblewrap (bwrap) is not installed, so nothing would confine a command; install the package bubblewrap, %s: %w", mend, err)
		}
		path = found
	}
	canary, err := os.CreateTemp("", "bullpen-probe-")
	if err != nil {
		return nil, fmt.Errorf("bubblewrap could not be tried without a temporary file; make room in %s: %w", os.TempDir(), err)
	}
	defer os.Remove(canary.Name()) // nothing is in it
	if err := canary.Close(); err != nil {
		return nil, fmt.Errorf("bubblewrap could not be tried without a temporary file; make room in %s: %w", os.TempDir(), err)
	}
	kernel, err := kernelSettings()
	if err != nil {
		return nil, fmt.Errorf("bubblewrap cannot confine on this machine: %w; %s", err, mend)
	}
	var first error
	for _, newer := range []bool{true, false} {
		b := &bwrap{path: path, opts: o, newer: newer, kernel: kernel}
		err := b.try(ctx, canary.Name())
		if err == nil {
			return b, nil
		}
		if first == nil {
			first = err
		}
	}
	return nil, fmt.Errorf("bubblewrap (%s) does not confine on this machine: %w; allow unprivileged user namespaces, %s", path, first, mend)
}

// probeScript looks from the inside whether what should hold holds. It names
// the first thing that does not; builtins only, so that it needs no program.
const probeScript = `
no() { echo "$1"; exit 1; }
while read -r key value rest; do case $key in
CapEff:|CapPrm:|CapBnd:) [[ $value =~ ^0+$ ]] || no "capabilities are left" ;;
NoNewPrivs:) [[ $value == 1 ]] || no "new privileges can be had" ;;
esac; done </proc/self/status || no "there is no /proc"
[[ ! -e $CANARY ]] || no "files outside the workspace can be read"
[[ ! -e /etc/passwd && ! -e /root && ! -e /home ]] || no "the machine's own files can be read"
(: >/usr/.bullpen-probe) 2>/dev/null && no "the system can be written to"
(: >/.bullpen-probe) 2>/dev/null && no "the root folder can be written to"
(exec 9>>/proc/sys/kernel/core_pattern) 2>/dev/null && no "the kernel's settings can be written to"
[[ $$ -lt 10 ]] || no "processes outside can be seen"
[[ -w . && $PWD == "$HOME" ]] || no "the workspace cannot be written to"
if [[ -z $NETWORK ]]; then while read -r name rest; do case $name in
*:) [[ $name == lo: ]] || no "the network can be reached" ;;
esac; done </proc/net/dev; fi
echo confined`

// try runs the probe with all that later commands are run with.
func (b *bwrap) try(ctx context.Context, canary string) error {
	root, err := os.OpenRoot(b.opts.Workspace)
	if err != nil {
		return noWorkspace(b.opts.Workspace, err)
	}
	defer root.Close() // nothing is written
	out := newOutput(root, 4096, 0, nil)
	env := map[string]string{"CANARY": canary}
	if b.opts.Network {
		env["NETWORK"] = "on"
	}
	l := &Local{opts: b.opts, bwrap: b}
	end, err := b.run(ctx, process{
		argv: l.limited(sandbox.Command{Shell: probeScript}),
		dir:  ".", env: environment(inside, env), out: out, timeout: probeTime,
	})
	text, _, _ := out.close()
	said, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	switch {
	case err != nil:
		return err
	case end.timedOut:
		return fmt.Errorf("it did not answer within %s", probeTime)
	case end.exit == 0 && said == "confined":
		return nil
	case said == "":
		return fmt.Errorf("it ended with status %d and said nothing", end.exit)
	}
	return errors.New(strings.TrimPrefix(said, "bwrap: "))
}
