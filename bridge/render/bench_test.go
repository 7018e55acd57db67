package render_test

import (
	"strings"
	"testing"

	"bullpen/bridge/render"
)

// BenchmarkParseAndSplit reads 40 kB and cuts them for a platform with a limit of 2,000 or 4,000.
func BenchmarkParseAndSplit(b *testing.B) {
	sentence := "Some **prose** with `code` and [a link](https://e.test/x), which goes on. "
	texts := map[string]string{
		"mixed":         strings.Repeat(strings.Repeat(sentence, 8)+"\n\n- item one\n- item two\n\n```go\nx := 1\n```\n\n", 80)[:40_000],
		"one paragraph": strings.Repeat(sentence, 600)[:40_000],
		"code":          "```go\n" + strings.Repeat("\tx := f(1) // and so on\n", 1700)[:40_000],
	}
	for name, text := range texts {
		for limit, label := range map[int]string{2000: "2000", 4000: "4000"} {
			b.Run(name+"/"+label, func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					render.Split(parse(text), limit, markdownIn(render.UTF16))
				}
			})
		}
	}
}
