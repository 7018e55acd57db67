package agent_test

import (
	"context"
	"strings"
	"testing"

	"bullpen/office"
	"bullpen/office/model"
)

// A call that waits for a person keeps its turn open over a restart, and the
// turn goes on with the answer.
func TestAQuestionWaitsOverARestart(t *testing.T) {
	t.Parallel()
	s, m := newScene(t, func(_ context.Context, n int, req *model.Request) (*model.Response, error) {
		if n == 1 {
			return calls("ask_user", `{"question":"Which colour?","options":["red","blue"]}`, "office_colleagues", `{}`), nil
		}
		return say("It is " + toolResults(req.Messages)[0]), nil
	})
	s.setup.Colleagues[0].AskUser = true
	s.open()
	s.post("@alice paint it")
	q := s.asked()
	if err := s.o.Close(t.Context()); err != nil { // a wait does not delay it
		t.Fatal(err)
	}
	if err := s.store.Close(); err != nil {
		t.Fatal(err)
	}
	s.open()
	if again := s.asked(); again != q {
		t.Fatalf("after the restart it asks %q, not %q", again, q)
	}
	if _, err := s.o.Decide(t.Context(), q, 1, "", office.DefaultOwner); err != nil {
		t.Fatal(err)
	}
	s.idle()
	if got := s.texts(office.General); !strings.Contains(got[len(got)-1], "alice: It is") || !strings.Contains(got[len(got)-1], "blue") {
		t.Errorf("general is %q", got)
	}
	if n := len(m.requests()); n != 2 {
		t.Errorf("the model was asked %d times", n)
	}
}

// asked waits until somebody asks something, and gives the question's id.
func (s *scene) asked() string {
	s.Helper()
	for after := int64(0); ; {
		found, err := s.o.Next(context.Background(), after)
		if err != nil {
			s.Fatal(err)
		}
		for _, msg := range found {
			if after = msg.No; msg.Question != "" {
				return msg.Question
			}
		}
	}
}
