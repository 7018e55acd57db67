//go:build !faults

package fault

// Enabled says whether this build can die at its points.
const Enabled = false

// Point does nothing in this build.
func Point(string) {}
