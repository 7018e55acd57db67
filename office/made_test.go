package office

import (
	"errors"
	"strconv"
	"testing"
)

// What an adapter made is remembered over a take-over, and there is an end to it.
func TestWhatWasMadeIsRemembered(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.must(madeThere{"discord role level:leader", "1"})
	before := k.s.Meta.Made
	k.must(madeThere{"discord role level:leader", "2"})
	if before["discord role level:leader"] != "1" {
		t.Error("what was handed out has changed")
	}
	k.takeOver()
	if got := k.s.Meta.Made["discord role level:leader"]; got != "2" {
		t.Errorf("after a take-over it is %q", got)
	}
	for i := range madeMost - 1 {
		k.must(madeThere{"discord role " + strconv.Itoa(i), "x"})
	}
	if _, err := k.do(madeThere{"discord role more", "x"}); !errors.Is(err, errMadeFull) {
		t.Errorf("one more: %v", err)
	}
	k.must(madeThere{"discord role 7", "y"})
}
