package office

import (
	"fmt"
	"slices"
)

// approvalArgs bounds what a question shows of a call's arguments, in characters.
const approvalArgs = 1500

// needsLeave says whether a person has to allow the call before it runs.
func (d *decision) needsLeave(t *Turn, c Call) bool {
	who := d.s.Colleagues[t.Colleague]
	return !c.Allowed && (slices.Contains(who.Approve, c.Name) || c.Class == EffectCall && who.Permission == AskBeforeChange)
}

// askLeave asks the owner or an admin whether a call may run.
func (d *decision) askLeave(t *Turn, p *PreparedCall) Result {
	shown := string(p.Args)
	if short := cut(shown, approvalArgs); short != shown {
		shown = short + " …"
	}
	fence := fenceFor(shown)
	return d.wait(t, Question{
		Kind: ApproveQuestion, Options: []string{"Allow", "Refuse"},
		Text: fmt.Sprintf("May I run %s?\n%s\n%s\n%s", p.Name, fence, shown, fence),
	}, AskMost)
}

// approved carries out what was decided about a call.
func (d *decision) approved(q *Question, who *Person, yes bool) string {
	c := d.s.Colleagues[q.From]
	name := "a call"
	if t := d.s.Turns[q.Turn]; t != nil && q.Call < len(t.Calls) {
		name = t.Calls[q.Call].Name
	}
	outcome := map[bool]string{true: "allowed", false: "refused"}[yes]
	d.audit(Audit{By: who.Name, What: fmt.Sprintf("%s of %s (%s)", name, c.Name, q.Message), Outcome: outcome})
	if yes {
		d.settleCall(q, nil, true)
		return fmt.Sprintf("%s allows it.", who.Name)
	}
	d.settleCall(q, &Result{Failed: true, Text: fmt.Sprintf("[office] Refused: %s did not allow this; it was not run. Do not try the same again.", quoted(who.Name))}, false)
	return fmt.Sprintf("%s refuses it.", who.Name)
}
