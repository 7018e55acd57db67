package demo

import (
	"encoding/json"
	"regexp"
	"strings"

	"bullpen/office/model"
)

// action is something that an instruction asks for.
type action struct {
	tool string
	args json.RawMessage
	// said begins the report; withResult adds what the tool returned.
	said       string
	withResult bool
}

func (a action) call(id string) model.Call { return model.Call{ID: id, Name: a.tool, Args: a.args} }

func (a action) report(result model.Message) string {
	switch {
	case strings.HasPrefix(result.Text, "[office] Interrupted"):
		return "That may or may not have worked: " + result.Text
	case result.Failed:
		return "That did not work: " + result.Text
	case a.withResult:
		return a.said + "\n" + result.Text
	default:
		return a.said
	}
}

// name is one word, or several in quotes.
const name = `@?("[^"]+"|[^\s,.:;!?"]+)`

var (
	sayHello  = regexp.MustCompile(`(?is)\bsay (hello|hi) to ` + name)
	tell      = regexp.MustCompile(`(?is)\b(tell|ask) ` + name + ` (?:that )?(.+)$`)
	post      = regexp.MustCompile(`(?is)\bpost in #?([^\s:]+)\s*:\s*(.+)$`)
	writeFile = regexp.MustCompile(`(?is)\bwrite (\S+?)\s*:\s*(.+)$`)
	readFile  = regexp.MustCompile(`(?i)\bread (\S+?)[.!?]?\s*$`)
	listFiles = regexp.MustCompile(`(?i)\blist (?:your |the )?files\b`)
	whoIs     = regexp.MustCompile(`(?i)\bwho (?:is|'s) (?:here|there|around)\b`)
	greeting  = regexp.MustCompile(`(?i)^\W*(?:@\S+\W+)*(hello|hi|hey|good morning)\b`)
)

func isGreeting(text string) bool { return greeting.MatchString(text) }

// actions are the calls that a message asks for, at most one.
func actions(m message) []action {
	if m.fromOffice {
		return nil
	}
	if m.fromColleague {
		return greetBack(m)
	}
	text := strings.TrimSpace(m.text)
	if g := sayHello.FindStringSubmatch(text); g != nil {
		who := unquote(g[2])
		return []action{sendTo(who, "Hello "+who+"!", "I said hello to "+who+".")}
	}
	if g := tell.FindStringSubmatch(text); g != nil {
		who := unquote(g[2])
		return []action{sendTo(who, g[3], "I told "+who+".")}
	}
	if g := post.FindStringSubmatch(text); g != nil {
		return []action{{
			tool: "office_post", args: arguments(map[string]any{"channel": g[1], "text": g[2], "wake": []string{}}),
			said: "I posted it in #" + g[1] + ".",
		}}
	}
	if g := writeFile.FindStringSubmatch(text); g != nil {
		return []action{{tool: "write", args: arguments(map[string]any{"path": g[1], "content": g[2] + "\n"}), said: "I wrote " + g[1] + "."}}
	}
	if listFiles.MatchString(text) {
		return []action{{tool: "ls", args: arguments(map[string]any{}), said: "My workspace:", withResult: true}}
	}
	if whoIs.MatchString(text) {
		return []action{{tool: "office_colleagues", args: arguments(map[string]any{}), said: "These are here:", withResult: true}}
	}
	if g := readFile.FindStringSubmatch(text); g != nil {
		return []action{{tool: "read", args: arguments(map[string]any{"path": g[1]}), said: "In " + g[1] + ":", withResult: true}}
	}
	return nil
}

// sendTo sends to a colleague, who is woken, or to the user's mailbox.
func sendTo(who, text, said string) action {
	if strings.EqualFold(who, "user") {
		return action{tool: "office_dm", args: arguments(map[string]any{"wake": []string{"@user"}, "text": text}), said: said}
	}
	return action{tool: "office_post", args: arguments(map[string]any{"wake": []string{"@" + who}, "text": text}), said: said}
}

// sayHere posts where the turn is, waking nobody.
func sayHere(text string) action {
	return action{tool: "office_post", args: arguments(map[string]any{"text": text, "wake": []string{}})}
}

// greetBack answers a colleague's greeting once, and wakes nobody with it: two
// demo colleagues must not greet each other for ever.
func greetBack(m message) []action {
	if !isGreeting(m.text) {
		return nil
	}
	return []action{{
		tool: "office_post", args: arguments(map[string]any{"text": "Hello " + m.from + "!", "wake": []string{}}),
	}}
}

func unquote(s string) string { return strings.Trim(s, `"`) }
