package main

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"regexp"
	"strings"
	"time"

	llmsim "bullpen/internal/sim/llm"
)

// mark tells the texts of people from all others: each has one of its own.
var mark = regexp.MustCompile(`\bM(\d+)!`)

// reckless is a model that does one thing or another about each of people's
// messages: which one is a function of the message, so that asked again it says the
// same, but that it asks people only where it may. What colleagues write has no mark,
// and nobody reacts to it.
func reckless(req *llmsim.Request, asks bool) llmsim.Reply {
	var answers []string
	var open []llmsim.Call
	done := map[string]bool{}
	turn := thisTurn(req.Messages)
	for _, m := range turn {
		for _, c := range m.ToolCalls {
			done[c.Function.Name+" "+c.Function.Arguments] = true
		}
	}
	for _, m := range turn {
		if m.Role != "user" {
			continue
		}
		for _, g := range mark.FindAllStringSubmatch(m.Content, -1) {
			if c, ok := whim(req.Model, g[1]); ok && (asks || c.Name != "ask_user") && !done[c.Name+" "+c.Args] {
				open = append(open, c)
			}
			answers = append(answers, "ok "+g[1])
		}
	}
	switch {
	case len(open) > 0:
		return slowly(req.Model+fmt.Sprint(open), llmsim.Calls(open...))
	case len(answers) > 0:
		return slowly(req.Model+fmt.Sprint(answers), llmsim.Text(strings.Join(answers, " ")))
	}
	return llmsim.Text("NO_REPLY")
}

// whim is what a colleague does about a message before it answers.
func whim(who, n string) (llmsim.Call, bool) {
	args := map[string]any{}
	name := "office_post"
	switch dice(who+n, 12) {
	case 0, 1:
		whom := []string{"@alice", "@bob", "@carol", "$leader", "#dev"}[dice(n+who, 5)]
		args["text"], args["wake"] = "P"+n+" from "+who+".", []string{whom}
	case 2:
		name = "office_dm"
		args["text"], args["wake"] = "D"+n+" from "+who+".", []string{[]string{"@alice", "@bob", "@user"}[dice(n+who, 3)]}
	case 3:
		name = "office_do_not_disturb"
		args["enabled"], args["note"] = dice(n+who, 2) == 0, "N"+n
		if args["enabled"] == false {
			delete(args, "note")
		}
	case 4:
		name = "office_read_notifications"
	case 5:
		name = "write"
		args["path"], args["content"] = "M"+n+".txt", n
	case 6:
		name = "office_read"
		args["channel"] = "general"
	case 7:
		name = "ask_user"
		args["question"], args["minutes"] = "What about "+n+"?", 1
	default:
		return llmsim.Call{}, false
	}
	text, err := json.Marshal(args)
	if err != nil {
		panic(err)
	}
	return llmsim.Call{Name: name, Args: string(text)}, true
}

// dice is a number below n that depends on what alone.
func dice(what string, n uint32) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(what))
	return int(h.Sum32() >> 3 % n)
}

// slowly lets some answers take a while, so that others meet a colleague at work.
func slowly(what string, r llmsim.Reply) llmsim.Reply {
	d := dice(what, 8)
	if d < 5 {
		return r
	}
	over := make(chan struct{})
	time.AfterFunc(time.Duration(d-4)*15*time.Millisecond, func() { close(over) })
	return r.Until(over)
}
