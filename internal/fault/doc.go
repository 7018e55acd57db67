// Package fault marks the places where a process may die: before and after
// every commit and every effect. In an ordinary build a point is an empty
// function. In a build with the tag `faults`, which only tests make, the
// environment says at which point the process kills itself, so that the kill
// test can walk through all of them with a real process.
package fault
