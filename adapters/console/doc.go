// Package console is the terminal client of an office: whoever starts the
// program in the office's folder talks to the colleagues there, over a terminal
// or over a pipe.
//
// On a terminal there is a prompt that shows where one stands, with editing,
// completion by Tab and pasting of several lines; what colleagues say appears
// above the line that is being typed. On a pipe one line in is one message and
// one message is one line out:
//
//	general-2 alice: Hello, bob\nHow are you?
//
// that is the anchor, the author's name, a colon and the text, in which a line
// end is written \n, a tab \t, a carriage return \r, a backslash \\, and every
// other byte that is not plainly visible \xNN; undoing these gives the text
// byte for byte. Receipts, notices of mail and refusals go to standard error,
// one line each; what /mail and /read were asked for goes to standard output.
//
// The console is a viewer: it is owed nothing. It shows the messages after a
// stored cursor and stores the cursor after each burst, so that after a kill it
// shows at most the last burst again, by the same anchors; one process shows nothing
// twice, also if its office was another's for a while. A line that was read
// is accepted when its receipt is out, and not before.
package console
