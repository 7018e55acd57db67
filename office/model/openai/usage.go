package openai

import "bullpen/office/model"

// wireUsage is the protocol's count. OpenAI counts cached tokens inside the
// prompt's and reasoning inside the completion's; where the others differ is
// said at each field.
type wireUsage struct {
	Prompt        int64 `json:"prompt_tokens"`
	Completion    int64 `json:"completion_tokens"`
	Total         int64 `json:"total_tokens"`
	PromptDetails *struct {
		Cached     int64 `json:"cached_tokens"`
		CacheWrite int64 `json:"cache_write_tokens"`
	} `json:"prompt_tokens_details"`
	CompletionDetails *struct {
		Reasoning int64 `json:"reasoning_tokens"`
	} `json:"completion_tokens_details"`
	CacheHit int64 `json:"prompt_cache_hit_tokens"` // DeepSeek
	Cached   int64 `json:"cached_tokens"`           // Moonshot
}

// usage books the count in the office's terms. Every class is kept within the
// total that it is part of, so that a wrong count cannot make a negative one.
func (w *wireUsage) usage() model.Usage {
	var u model.Usage
	prompt, output := max(w.Prompt, 0), max(w.Completion, 0)
	cached := max(w.CacheHit, w.Cached, 0)
	if d := w.PromptDetails; d != nil {
		cached = max(cached, d.Cached)
		u.CacheWrite = max(d.CacheWrite, 0)
	}
	u.CacheRead = min(cached, prompt)
	u.CacheWrite = min(u.CacheWrite, prompt-u.CacheRead)
	u.Input = prompt - u.CacheRead - u.CacheWrite

	if d := w.CompletionDetails; d != nil {
		u.Reasoning = max(d.Reasoning, 0)
	}
	// xAI and Gemini's endpoint count thinking only in the total.
	if hidden := w.Total - prompt - output; hidden > 0 {
		output += hidden
		u.Reasoning = max(u.Reasoning, hidden)
	}
	u.Output = output
	u.Reasoning = min(u.Reasoning, output)
	return u
}
