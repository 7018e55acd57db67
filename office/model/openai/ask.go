package openai

import (
	"bytes"
	"context"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/ssestream"
)

// drainWait is how long a connection may take to end after the answer's end, so
// that it can be used again; drainMax how much it may still send.
const (
	drainWait = 50 * time.Millisecond
	drainMax  = 64 << 10
)

// ask sends one request and reads its answer into a; nil means that the answer
// is whole.
func (c *Client) ask(ctx context.Context, params sdk.ChatCompletionNewParams, known quirks, a *answer) *fault {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	res, err := c.post(ctx, params, !known.has(noStream))
	if res != nil {
		defer res.Body.Close()
	}
	switch {
	case res != nil && res.StatusCode >= 400:
		return refusal(res)
	case err != nil:
		return broken(ctx, err)
	case res == nil:
		return &fault{garbled: true}
	case res.StatusCode >= 300:
		return &fault{status: res.StatusCode, movedTo: movedTo(res)}
	}

	kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
	switch {
	case kind == "text/html":
		return &fault{status: res.StatusCode, webPage: true}
	case strings.HasSuffix(kind, "json") && kind != "application/x-ndjson":
		return a.readWhole(ctx, res)
	}
	f := a.readStream(ctx, res)
	if f == nil {
		drain(res.Body, cancel)
	}
	return f
}

// post returns the response whatever its status, beside the SDK's error.
func (c *Client) post(ctx context.Context, params sdk.ChatCompletionNewParams, stream bool) (*http.Response, error) {
	var res *http.Response
	into := option.WithResponseBodyInto(&res)
	if stream {
		err := c.chat.NewStreaming(ctx, params, into).Err()
		return res, err
	}
	_, err := c.chat.New(ctx, params, into)
	return res, err
}

// readWhole reads an answer in one piece: the endpoint was asked not to stream,
// or ignored that it was asked to.
func (a *answer) readWhole(ctx context.Context, res *http.Response) *fault {
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return broken(ctx, err)
	}
	a.ended = true
	return a.take(body)
}

// readStream reads server-sent events up to [DONE]. A stream that ends after its
// finish reason is whole even when its end is missing or its connection breaks:
// what could still come is the usage.
func (a *answer) readStream(ctx context.Context, res *http.Response) *fault {
	res.Body = &boundedLines{ReadCloser: res.Body}
	events := ssestream.NewDecoder(res)
	for events.Next() {
		event := events.Event()
		data := bytes.TrimSpace(event.Data)
		if bytes.Equal(data, []byte("[DONE]")) {
			a.ended = true
			return nil
		}
		if event.Type == "error" {
			return inBand(data)
		}
		if f := a.take(data); f != nil {
			return f
		}
	}
	if a.finish != "" {
		return nil
	}
	if err := events.Err(); err != nil {
		return broken(ctx, err)
	}
	return broken(ctx, io.ErrUnexpectedEOF)
}

// drain reads a connection to its end, briefly, so that it goes back to the pool.
func drain(body io.Reader, cancel context.CancelFunc) {
	timer := time.AfterFunc(drainWait, cancel)
	defer timer.Stop()
	_, _ = io.CopyN(io.Discard, body, drainMax)
}

// movedTo is the origin of a redirect, without its path and query, which may
// hold anything.
func movedTo(res *http.Response) string {
	to, err := res.Location()
	if err != nil {
		return "nowhere"
	}
	return to.Scheme + "://" + to.Host
}
