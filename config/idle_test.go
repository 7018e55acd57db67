package config

import (
	"slices"
	"testing"

	"bullpen/office"
)

// Whom the idle notice wakes follows a rename, and one who leaves is taken out.
func TestTheIdleNoticeFollowsTheRoster(t *testing.T) {
	t.Parallel()
	f, path := fileOf(t, "office: {idle_notice: {enabled: true, wake: [\"@coder\", \"@reviewer\"]}}\nagents: {coder: {model: demo}, reviewer: {model: demo}}\n")
	for _, tc := range []struct {
		edit office.Edit
		want []string
	}{
		{office.RenameColleague{From: "coder", To: "cody"}, []string{"@cody", "@reviewer"}},
		{office.RemoveColleague{Name: "reviewer"}, []string{"@cody"}},
	} {
		setup, err := f.Edit(t.Context(), tc.edit)
		if err != nil || !slices.Equal(setup.IdleNotice.Wake, tc.want) {
			t.Errorf("%+v: it wakes %q, want %q: %v\n%s", tc.edit, setup.IdleNotice.Wake, tc.want, err, textOf(t, path))
		}
	}
	// The last one whom it could reach cannot leave it without anybody.
	before := textOf(t, path)
	if _, err := f.Edit(t.Context(), office.AddColleague{Colleague: office.ColleagueSetup{Name: "dora", Role: office.Member, RoleUnsaid: true, Model: "demo"}}, office.RemoveColleague{Name: "cody"}); err == nil || textOf(t, path) != before {
		t.Errorf("the notice reaches nobody: %v\n%s", err, textOf(t, path))
	}
}
