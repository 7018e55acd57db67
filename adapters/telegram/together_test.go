package telegram

import (
	"fmt"
	"slices"
	"testing"

	"bullpen/office"
)

// What people wrote in several chats while nobody polled comes in one answer: each
// chat's messages go in once and in their order.
func TestChatsOfOnePollKeepTheirOrder(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		w.srv.User(maria).Start()
		w.Idle()
		w.abort()
		var dm, group []string
		for i := range 20 {
			dm, group = append(dm, fmt.Sprintf("@alice private %d", i)), append(group, fmt.Sprintf("@bob public %d", i))
			w.srv.User(maria).DM(dm[i])
			w.says(kim, devs, group[i])
		}
		w.start()
		w.connected()
		w.Idle()
		said := func(channel office.ChannelID) (out []string) {
			page, err := w.Office.Messages(w.Context(), office.MessageQuery{Channels: []office.ChannelID{channel}, Limit: 200})
			if err != nil {
				w.Fatal(err)
			}
			for _, m := range page.Messages {
				if m.Author.Kind == office.ByPerson && m.Text != "/start" {
					out = append(out, m.Text)
				}
			}
			return out
		}
		if got := said("dev"); !slices.Equal(got, group) {
			w.Errorf("#dev has %q", got)
		}
		if got := said("dm-c1-maria"); !slices.Equal(got, dm) {
			w.Errorf("the direct talk has %q", got)
		}
	}, linked("-1001000000001"))
}
