// Package conformance tells stories to one office on several platforms at once,
// each through its real adapter and its stand-in, and looks at what people see
// there: what is said on one appears on the others, once, and follows what becomes
// of it. There is no code in it but its tests.
package conformance
