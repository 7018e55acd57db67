// Package slack is the office's place in a Slack workspace, over Socket Mode:
// it takes in what people write in linked channels and in direct messages, and
// shows what colleagues say there under their own names.
//
// One socket is open at a time. What is on the wire while none is, is read back
// from the channels' histories before anything newer is taken in. A message is
// acknowledged to Slack when the office has it, and not before; while the office
// cannot keep anything the socket is closed. What is shown carries a key in its
// metadata, so that a post whose answer was lost is found again and not repeated.
//
// Facts about Slack are from docs.slack.dev; where one decides something, the
// place that relies on it names the page.
package slack
