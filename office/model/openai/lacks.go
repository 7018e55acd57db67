package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
)

// ErrNoList says that an endpoint answers and does not list its models; few
// compatible ones have to.
var ErrNoList = errors.New("the endpoint does not list its models")

// ErrKey says that an endpoint does not accept the key, or that none could.
var ErrKey = errors.New("the key is of no use")

// keyError is an ErrKey that says which endpoint and why.
type keyError struct{ sentence string }

func (e *keyError) Error() string { return e.sentence }
func (e *keyError) Unwrap() error { return ErrKey }

// Lacks returns those of ids that an endpoint does not list; see List.
func Lacks(ctx context.Context, cfg Config, ids []string) ([]string, error) {
	has, err := List(ctx, cfg)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return slices.Contains(has, id) }), nil
}

// List asks an endpoint for its models (platform.openai.com, api-reference,
// models/list); they come sorted. It costs no tokens. The error is ErrNoList, wraps
// ErrKey, or says why the endpoint is of no use; it holds no key.
func List(ctx context.Context, cfg Config) ([]string, error) {
	base, err := parseBaseURL(cfg.BaseURL)
	if err != nil {
		return nil, err
	}
	key := strings.TrimSpace(cfg.APIKey)
	if strings.ContainsFunc(key, notHeaderSafe) {
		return nil, &keyError{fmt.Sprintf("the key for %s has characters that no HTTP header may hold: copy it again without line breaks", base.Host)}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, base.JoinPath("models").String(), nil)
	if err != nil {
		return nil, err
	}
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	resp, err := guardedClient(cfg.HTTPClient).Do(req)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be reached: %w", base.Host, err)
	}
	defer resp.Body.Close() //nolint:errcheck // only read
	switch {
	case resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden:
		return nil, &keyError{fmt.Sprintf("%s does not accept the key (%s)", base.Host, resp.Status)}
	case resp.StatusCode == http.StatusNotFound || resp.StatusCode == http.StatusMethodNotAllowed:
		return nil, ErrNoList
	case resp.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("%s answers with %s", base.Host, resp.Status)
	}
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if err := json.NewDecoder(io.LimitReader(resp.Body, 8<<20)).Decode(&list); err != nil || len(list.Data) == 0 {
		return nil, ErrNoList
	}
	ids := make([]string, 0, len(list.Data))
	for _, m := range list.Data {
		ids = append(ids, m.ID)
	}
	slices.Sort(ids)
	return ids, nil
}
