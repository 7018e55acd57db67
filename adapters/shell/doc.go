// Package shell is the adapter of the command line: it serves the commands of a
// running office on a unix socket, and asks for them.
//
// Whoever can reach the socket is the office's owner, like whoever sits at its
// console: it lies in a folder that only the account which runs the office can
// enter, and on Linux the account behind each connection is checked as well.
//
// A connection carries one request and one answer, a line of JSON each; where
// events are followed, an event a line comes behind the answer for as long as
// both sides live.
package shell
