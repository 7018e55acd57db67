// Package demo is a model that needs nothing: no key, no network. It follows a
// few plain instructions, so that a newcomer sees an office at work, and says
// that it is no language model. What it does depends on the transcript alone.
package demo
