package discord

import (
	"encoding/json"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strconv"
	"strings"
)

// Limits of a request (D: reference, uploading files; resources/message, create message).
const (
	maxRequest = 25 << 20
	maxFile    = 10 << 20
)

// file is one uploaded part: files[n].
type file struct {
	n          int
	name, kind string
	data       []byte
}

// readCall reads a request's body: JSON, or a multipart form with payload_json and files[n] (D:
// reference, uploading files).
func (s *Server) readCall(r *http.Request) (*call, *refusal) {
	c := &call{path: r.PathValue, query: r.URL.Query()}
	if r.Body == nil || r.Method == http.MethodGet {
		return c, nil
	}
	kind, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	body := http.MaxBytesReader(nil, r.Body, maxRequest)
	if kind == "multipart/form-data" {
		return c, c.readForm(multipart.NewReader(body, params["boundary"]))
	}
	raw, err := io.ReadAll(body)
	switch {
	case err != nil:
		return c, refuse(40005)
	case len(raw) == 0:
		return c, nil
	case kind != "application/json":
		return c, refuse(50109)
	}
	return c, c.take(raw)
}

func (c *call) take(raw []byte) *refusal {
	var o map[string]any
	if json.Unmarshal(raw, &o) != nil {
		var list []any // the bulk overwrite of commands
		if json.Unmarshal(raw, &list) != nil {
			return refuse(50109)
		}
	}
	c.body = raw
	return nil
}

func (c *call) readForm(r *multipart.Reader) *refusal {
	for {
		p, err := r.NextPart()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return refuse(50109)
		}
		data, err := io.ReadAll(p)
		if err != nil {
			return refuse(40005)
		}
		name := p.FormName()
		if name == "payload_json" {
			if bad := c.take(data); bad != nil {
				return bad
			}
			continue
		}
		number := strings.TrimSuffix(strings.TrimPrefix(name, "files["), "]")
		n, err := strconv.Atoi(number)
		if err != nil {
			continue // parameters that nobody knows are ignored
		}
		if len(data) > maxFile {
			return refuse(40005)
		}
		c.files = append(c.files, file{n: n, name: p.FileName(), kind: p.Header.Get("Content-Type"), data: data})
	}
}
