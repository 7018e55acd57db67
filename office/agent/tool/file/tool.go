// Package file is for a colleague's work on the files of its workspace: the
// tools read, write, edit, ls, find and grep.
//
// Every tool reaches the disk through an os.Root, so that neither "..", an
// absolute path nor a link leads out of the workspace, whatever a model asks
// for and whatever a command of the colleague has put there. They therefore
// need no sandbox. What they read is bounded before it is read, and a FIFO or
// a device is never opened.
//
// A tool's error is read by the model: one sentence that names the thing, says
// what is wrong with it and how to mend it.
package file

import (
	"context"
	"encoding/json"
	"os"
)

// Tool is the contract of one tool and its code.
type Tool struct {
	// Name is what a model calls the tool by.
	Name string
	// Description tells a model when and how to use it.
	Description string
	// Schema is the JSON Schema of the arguments.
	Schema json.RawMessage
	// Pure says that the tool has no effects, so that a call that a crash cut
	// short may be run again.
	Pure bool
	// Run runs one call in the workspace root. args is the JSON object that the
	// model wrote; what does not keep to Schema is refused by name, except that
	// numbers and booleans may stand in quotes. The error is a sentence for the
	// model. It may be called concurrently; two writes of one file then leave
	// one of the two whole.
	Run func(ctx context.Context, root *os.Root, args json.RawMessage) (string, error)
}

// Tools returns the tools in the order in which a model should see them.
func Tools() []Tool {
	return []Tool{
		{Name: "read", Description: readDescription, Schema: json.RawMessage(readSchema), Pure: true, Run: read},
		{Name: "write", Description: writeDescription, Schema: json.RawMessage(writeSchema), Run: write},
		{Name: "edit", Description: editDescription, Schema: json.RawMessage(editSchema), Run: edit},
		{Name: "ls", Description: lsDescription, Schema: json.RawMessage(lsSchema), Pure: true, Run: ls},
		{Name: "find", Description: findDescription, Schema: json.RawMessage(findSchema), Pure: true, Run: find},
		{Name: "grep", Description: grepDescription, Schema: json.RawMessage(grepSchema), Pure: true, Run: grep},
	}
}
