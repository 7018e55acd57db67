package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	llmsim "bullpen/internal/sim/llm"
)

// What people ask is numbered: "Q7 delegate file". The words behind the number
// say what is to be done about it before it is answered.
var (
	question = regexp.MustCompile(`\bQ(\d+)((?: (?:delegate|file|mail))*)`)
	task     = regexp.MustCompile(`\btake Q(\d+)`)
)

// diligent is a model that does what its newest messages ask, a kind of call a
// step, and answers each of them with its number. It is a function of the
// transcript: asked again it says the same.
func diligent(req *llmsim.Request) llmsim.Reply {
	turn := thisTurn(req.Messages)
	var asked []string
	done := map[string]bool{}
	kinds := map[string][]string{}
	for _, m := range turn {
		for _, c := range m.ToolCalls {
			done[c.Function.Name+" "+c.Function.Arguments] = true
		}
		if m.Role != "user" {
			continue
		}
		for _, x := range task.FindAllStringSubmatch(m.Content, -1) {
			kinds["report"] = append(kinds["report"], x[1])
		}
		for _, x := range question.FindAllStringSubmatch(task.ReplaceAllString(m.Content, ""), -1) {
			asked = append(asked, x[1])
			for _, kind := range strings.Fields(x[2]) {
				kinds[kind] = append(kinds[kind], x[1])
			}
		}
	}
	for _, kind := range []string{"delegate", "file", "mail", "report"} {
		var open []llmsim.Call
		for _, n := range kinds[kind] {
			if c := callFor(kind, n); !done[c.Name+" "+c.Args] {
				open = append(open, c)
			}
		}
		if len(open) > 0 {
			return llmsim.Calls(open...)
		}
	}
	if len(asked) == 0 {
		return llmsim.Text("NO_REPLY")
	}
	var lines []string
	for _, n := range asked {
		lines = append(lines, answerTo(n))
	}
	return llmsim.Text(strings.Join(lines, "\n"))
}

func answerTo(n any) string { return fmt.Sprintf("answer to Q%v.", n) }

func callFor(kind, n string) llmsim.Call {
	args := map[string]any{}
	name := "office_post"
	switch kind {
	case "delegate":
		args["text"], args["wake"] = "Bob, take Q"+n+".", []string{"@bob"}
		args["notify"] = "turn-end" // what he posts then is posted where this is
	case "report":
		args["text"], args["wake"] = "I did Q"+n+".", []string{}
	case "file":
		name = "write"
		args["path"], args["content"] = "Q"+n+".txt", "about Q"+n+"\n"
	case "mail":
		name = "office_dm"
		args["text"], args["wake"] = "mail about Q"+n+".", []string{"@user"}
	}
	data, err := json.Marshal(args)
	if err != nil {
		panic(err)
	}
	return llmsim.Call{Name: name, Args: string(data)}
}

// thisTurn are the messages since the last answer that ended a turn, or since a
// turn ended without one.
func thisTurn(all []llmsim.Message) []llmsim.Message {
	ended := func(m llmsim.Message) bool {
		return m.Role == "assistant" && len(m.ToolCalls) == 0 ||
			m.Role == "user" && strings.HasPrefix(m.Content, "[office] The turn above ended")
	}
	for i, m := range slices.Backward(all) {
		if ended(m) {
			return all[i+1:]
		}
	}
	return all
}
