package storetest

import (
	"bytes"
	"cmp"
	"encoding/json"

	"bullpen/office"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// same compares what was read with what was written. An absent list is an empty
// one, white space in JSON means nothing, and a snapshot's slices have no order.
var same = gocmp.Options{
	cmpopts.EquateEmpty(),
	gocmp.Comparer(sameJSON),
	sorted(func(v office.Colleague) string { return string(v.ID) }),
	sorted(func(v office.Person) string { return string(v.ID) }),
	sorted(func(v office.Channel) string { return string(v.ID) }),
	sorted(func(v office.Item) int64 { return v.ID }),
	sorted(func(v office.Turn) int64 { return v.ID }),
	sorted(func(v office.Portal) string { return string(v.ID) }),
	sorted(func(v office.Send) int64 { return v.ID }),
	sorted(func(v office.Parked) int64 { return v.ID }),
	sorted(func(v office.Question) string { return v.ID }),
	sorted(func(v office.Pairing) string { return v.Code }),
}

func sorted[T any, K cmp.Ordered](key func(T) K) gocmp.Option {
	return cmpopts.SortSlices(func(a, b T) bool { return key(a) < key(b) })
}

func sameJSON(a, b json.RawMessage) bool {
	if len(a) == 0 || len(b) == 0 {
		return len(a) == len(b)
	}
	var x, y bytes.Buffer
	return json.Compact(&x, a) == nil && json.Compact(&y, b) == nil && bytes.Equal(x.Bytes(), y.Bytes())
}

// wantSame fails the test where got is not want.
func wantSame(t tester, what string, got, want any) {
	t.Helper()
	if diff := gocmp.Diff(want, got, same); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}
