// Package conformance tells the same stories on every platform, each through its
// real adapter on its stand-in with a whole office behind it, and looks at what
// people see there. A platform is a stage; what one cannot show is said in one place,
// in lacks, and held against the table of docs/platforms.md. Other stories play on
// several platforms at once: what is said on one appears on the others, once, and
// follows what becomes of it. There is no code in it but its tests.
package conformance
