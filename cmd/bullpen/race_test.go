//go:build race

package main

// raceFlags build the program with the race detector where the tests are.
var raceFlags = []string{"-race"}
