package discord

import (
	"fmt"
	"net/http"
	"strings"
)

// refusal is an error answer: an HTTP status and a code of Discord's own.
type refusal struct {
	status  int
	code    int
	message string
	fields  []fieldError // of 50035
}

// fieldError says what is wrong with one field; path is dotted, as "embeds.0.title".
type fieldError struct{ path, code, message string }

// refusals are the error codes that are used here (D: opcodes, JSON error codes). The HTTP statuses are
// given there only as classes, so each is K.
var refusals = map[int]refusal{
	10003:  {status: 404, message: "Unknown Channel"},
	10004:  {status: 404, message: "Unknown Guild"},
	10007:  {status: 404, message: "Unknown Member"},
	10008:  {status: 404, message: "Unknown Message"},
	10011:  {status: 404, message: "Unknown Role"},
	10013:  {status: 404, message: "Unknown User"},
	10014:  {status: 400, message: "Unknown Emoji"},
	10015:  {status: 404, message: "Unknown Webhook"},
	10062:  {status: 404, message: "Unknown interaction"},
	10063:  {status: 404, message: "Unknown application command"},
	20012:  {status: 403, message: "You are not authorized to perform this action on this application"},
	30005:  {status: 400, message: "Maximum number of guild roles reached (250)"},
	30007:  {status: 400, message: "Maximum number of webhooks reached (15)"},
	30010:  {status: 403, message: "Maximum number of reactions reached (20)"},
	30013:  {status: 400, message: "Maximum number of guild channels reached (500)"},
	30015:  {status: 400, message: "Maximum number of attachments in a message reached (10)"},
	30034:  {status: 429, message: "Maximum number of daily application command creates has been reached (200)"},
	30046:  {status: 429, message: "Maximum number of edits to messages older than 1 hour reached. Try again later."},
	40003:  {status: 429, message: "You are opening direct messages too fast"},
	40005:  {status: 413, message: "Request entity too large. Try sending something smaller in size"},
	40058:  {status: 400, message: "Cannot send a message in a forum channel"},
	40060:  {status: 400, message: "Interaction has already been acknowledged."},
	50001:  {status: 403, message: "Missing Access"},
	50003:  {status: 403, message: "Cannot execute action on a DM channel"},
	50005:  {status: 403, message: "Cannot edit a message authored by another user"},
	50006:  {status: 400, message: "Cannot send an empty message"},
	50007:  {status: 403, message: "Cannot send messages to this user"},
	50008:  {status: 400, message: "Cannot send messages in a non-text channel"},
	50013:  {status: 403, message: "Missing Permissions"},
	50024:  {status: 403, message: "Cannot execute action on this channel type"},
	50027:  {status: 401, message: "Invalid Webhook Token"},
	50033:  {status: 400, message: "Invalid Recipient(s)"},
	50083:  {status: 400, message: "Thread is archived"},
	50109:  {status: 400, message: "The request body contains invalid JSON."},
	50278:  {status: 403, message: "Cannot send messages to this user due to having no mutual guilds"},
	160004: {status: 400, message: "A thread has already been created for this message"},
	160005: {status: 403, message: "Thread is locked"},
	220001: {status: 400, message: "Webhooks posted to forum channels must have a thread_name or thread_id"},
	220002: {status: 400, message: "Webhooks posted to forum channels cannot have both a thread_name and thread_id"},
	220003: {status: 400, message: "Webhooks can only create threads in forum channels"},
}

// refuse makes the refusal with a code.
func refuse(code int) *refusal {
	r := refusals[code]
	r.code = code
	return &r
}

// notFound and unauthorized are what has no code of its own (K).
func notFound() *refusal { return &refusal{status: http.StatusNotFound, message: "404: Not Found"} }

func unauthorized() *refusal {
	return &refusal{status: http.StatusUnauthorized, message: "401: Unauthorized"}
}

// invalid is 50035 for one field (D: reference, error messages).
func invalid(path, code, format string, args ...any) *refusal {
	return &refusal{
		status: http.StatusBadRequest, code: 50035, message: "Invalid Form Body",
		fields: []fieldError{{path, code, fmt.Sprintf(format, args...)}},
	}
}

func tooLong(path string, most int) *refusal {
	return invalid(path, "BASE_TYPE_MAX_LENGTH", "Must be %d or fewer in length.", most)
}

func badLength(path string, least, most int) *refusal {
	return invalid(path, "BASE_TYPE_BAD_LENGTH", "Must be between %d and %d in length.", least, most)
}

func required(path string) *refusal {
	return invalid(path, "BASE_TYPE_REQUIRED", "This field is required")
}

func notOne(path, what string) *refusal {
	return invalid(path, "BASE_TYPE_CHOICES", "Value must be one of %s.", what)
}

// body is the answer's JSON.
func (r *refusal) body() object {
	o := object{"code": r.code, "message": r.message}
	if r.fields == nil {
		return o
	}
	root := object{}
	for _, f := range r.fields {
		at := root
		for key := range strings.SplitSeq(f.path, ".") {
			next, ok := at[key].(object)
			if !ok {
				next = object{}
				at[key] = next
			}
			at = next
		}
		at["_errors"] = []object{{"code": f.code, "message": f.message}}
	}
	o["errors"] = root
	return o
}

// String is the code and the reason, for a log.
func (r *refusal) String() string {
	text := fmt.Sprintf("%d %s", r.code, r.message)
	for _, f := range r.fields {
		text += " (" + f.path + ": " + f.message + ")"
	}
	return text
}
