package llm_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"bullpen/internal/sim/llm"
)

func BenchmarkStreamedAnswer(b *testing.B) {
	s, err := llm.Start(llm.Options{Keep: -1})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	body := strings.Replace(hello, `"model"`, `"stream":true,"model"`, 1)
	for b.Loop() {
		res, err := http.Post(s.URL()+"/chat/completions", "application/json", strings.NewReader(body))
		if err != nil {
			b.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, res.Body)
		_ = res.Body.Close()
	}
	http.DefaultClient.CloseIdleConnections()
}
