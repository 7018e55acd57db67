// Package arrows keeps the rooms of the tree apart: its tests fail when a
// package imports what the design puts above or beside it, when an outside
// module turns up in a room that has no business with it, when a package has a
// name that says nothing, and when an exported name lacks its comment. It holds
// no code of its own.
package arrows
