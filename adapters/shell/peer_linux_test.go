package shell

import "testing"

func TestOtherAccountsAreRefused(t *testing.T) {
	t.Parallel()
	for peer, want := range map[uint32]bool{1000: true, 0: true, 1001: false, 65534: false} {
		if allowed(peer, 1000) != want {
			t.Errorf("the account %d: %v", peer, !want)
		}
	}
}
