//go:build faults

package demo

import (
	"context"
	"fmt"
	"strings"

	"bullpen/office/model"
)

// directive lets a test make the model misbehave by what a person writes. It
// exists only in builds with the tag `faults`.
//
//	!hang     never answers
//	!nothing  answers nothing
//	!loop     never stops calling tools
//	!badcall  calls a tool that does not exist, then one with broken arguments
//	!fail     the provider fails for good
func directive(ctx context.Context, t turn) (*model.Response, error, bool) {
	if len(t.messages) == 0 {
		return nil, nil, false
	}
	text := t.messages[len(t.messages)-1].text
	call := func(name, broken string) *model.Response {
		return &model.Response{Stop: model.StopCalls, Model: "demo", Calls: []model.Call{{
			ID: fmt.Sprintf("d%d", t.steps+1), Name: name, Args: []byte("{}"), Broken: broken,
		}}}
	}
	switch {
	case strings.Contains(text, "!hang"):
		<-ctx.Done()
		return nil, ctx.Err(), true
	case strings.Contains(text, "!nothing"):
		return nil, &model.Error{Kind: model.Empty, Sentence: "the demo model answered nothing"}, true
	case strings.Contains(text, "!fail"):
		return nil, &model.Error{Kind: model.Refused, Sentence: "the demo model refused"}, true
	case strings.Contains(text, "!loop"):
		return call("office_colleagues", ""), nil, true
	case strings.Contains(text, "!badcall") && t.steps == 0:
		return call("launch_rocket", ""), nil, true
	case strings.Contains(text, "!badcall") && t.steps == 1:
		return call("office_post", "unexpected end of JSON input"), nil, true
	default:
		return nil, nil, false
	}
}
