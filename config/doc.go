// Package config turns a folder's office.yaml and .env into the office's own
// types. [Load] reads and checks both; whatever is wrong is reported at once,
// each problem with its place in the file, the key and the mend. [Scaffold]
// writes the file a newcomer starts from.
//
// The keys are data: one table (schema.go) says what may stand where and of what
// kind, and everything that reads the file follows it. The embedded
// office.example.yaml shows every key of the table with its default.
//
// The work has four steps: bytes become a tree that knows its lines (source.go,
// tree.go), the tree is checked against the table (check.go, scalars.go), the
// parts become the office's types (read.go, agents.go, models.go, slack.go,
// telegram.go, discord.go), and what refers to something else is looked up (names.go). A part with a problem is
// skipped by the later steps, so that one mistake is reported once.
//
// [File] is the same file as the place where a running office is declared: what
// changes there by a command is written into it (file.go), as keys and values
// (edits.go), without touching the rest (package inplace).
package config
