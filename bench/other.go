//go:build !linux

package main

import "fmt"

func main() { fmt.Println("The measurements read /proc and run on Linux alone.") }
