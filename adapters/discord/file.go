package discord

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"slices"
	"strings"

	"bullpen/bridge"
	"bullpen/office"
)

// fileMost is the biggest file that Discord takes on a server without boosts, in
// bytes (reference, uploading files).
const fileMost = 10 << 20

// fileHosts are where Discord keeps files (reference, image formatting; the
// attachments' own addresses).
var fileHosts = []string{"cdn.discordapp.com", "media.discordapp.net"}

var (
	_ bridge.Fetcher  = (*Adapter)(nil)
	_ bridge.Uploader = (*Adapter)(nil)
)

// attachment is a file of a message (resources/message, attachment object).
type attachment struct {
	ID       string `json:"id"`
	Filename string `json:"filename"`
	Type     string `json:"content_type"`
	Size     int64  `json:"size"`
	URL      string `json:"url"`
}

// files are those of a message and of what it forwards.
func (m *message) files() []attachment {
	all := slices.Clone(m.Files)
	for i := range m.Snapshots {
		all = append(all, m.Snapshots[i].Message.files()...)
	}
	return all
}

// filesOf are what came with a message. Discord's addresses of files lapse within a
// day, so that a file is known by its message.
func filesOf(at spot, m *message) []bridge.File {
	var out []bridge.File
	for _, f := range m.files() {
		if f.ID != "" {
			out = append(out, bridge.File{ID: strings.Join([]string{at.channel(), m.ID, f.ID}, "/"), Name: f.Filename, Type: f.Type, Size: f.Size})
		}
	}
	return out
}

// Fetch opens a file of a message. See bridge.Fetcher.
func (a *Adapter) Fetch(ctx context.Context, id string) (io.ReadCloser, error) {
	parts := strings.Split(id, "/")
	if len(parts) != 3 {
		return nil, fmt.Errorf("%q names no file of Discord's: %w", id, office.ErrGone)
	}
	var m message
	err := a.ask(ctx, http.MethodGet, "channels/"+parts[0]+"/messages/"+parts[1], nil, &m)
	if e := (*callError)(nil); errors.As(err, &e) && e.answered() && tokenFault(err) == nil {
		return nil, fmt.Errorf("its message cannot be read any more (%d): %w", e.code, office.ErrGone)
	}
	if err != nil {
		return nil, err
	}
	all := m.files()
	i := slices.IndexFunc(all, func(f attachment) bool { return f.ID == parts[2] })
	if i < 0 {
		return nil, fmt.Errorf("its message no longer has it: %w", office.ErrGone)
	}
	return a.download(ctx, all[i].URL)
}

// download reads an address that Discord gave for a file, if it is one of its own.
func (a *Adapter) download(ctx context.Context, address string) (io.ReadCloser, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host != a.base.Host && (u.Scheme != "https" || !slices.Contains(fileHosts, u.Host)) {
		return nil, fmt.Errorf("its address is none of Discord's: %w", office.ErrGone)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, a.scrub.Error(err)
	}
	resp, err := a.http.Do(req)
	if err != nil {
		return nil, a.scrub.Error(err)
	}
	if resp.StatusCode == http.StatusOK {
		return resp.Body, nil
	}
	_ = resp.Body.Close() // nothing in it is of use
	if resp.StatusCode == http.StatusNotFound {
		return nil, fmt.Errorf("the download is answered with %s: %w", resp.Status, office.ErrGone)
	}
	return nil, fmt.Errorf("the download is answered with %s", resp.Status)
}

// FileMost is the biggest file that is shown. See bridge.Uploader.
func (a *Adapter) FileMost() int64 { return fileMost }

// Upload shows a file. See bridge.Uploader.
func (a *Adapter) Upload(ctx context.Context, out bridge.Outgoing) (bridge.Posted, error) {
	return a.Post(ctx, out)
}

// form is a message with its file as a form (reference, uploading files). The error
// says that the file is no longer here.
func form(ctx context.Context, p any, f *bridge.Attachment) (kind string, body []byte, err error) {
	r, err := f.Open(ctx)
	if err != nil {
		return "", nil, err
	}
	defer func() { _ = r.Close() }() // it was only read
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	raw, err := json.Marshal(p)
	if err != nil {
		return "", nil, err
	}
	if err := w.WriteField("payload_json", string(raw)); err != nil {
		return "", nil, err
	}
	h := textproto.MIMEHeader{}
	h.Set("Content-Disposition", fmt.Sprintf(`form-data; name="files[0]"; filename=%q`, strings.Map(plain, f.Name)))
	h.Set("Content-Type", orElse(f.Type, "application/octet-stream"))
	part, err := w.CreatePart(h)
	if err != nil {
		return "", nil, err
	}
	if _, err := io.Copy(part, io.LimitReader(r, fileMost+1)); err != nil {
		return "", nil, err
	}
	if err := w.Close(); err != nil {
		return "", nil, err
	}
	return w.FormDataContentType(), b.Bytes(), nil
}

// plain leaves out of a name what would break its header.
func plain(r rune) rune {
	if r < ' ' || r == '"' || r == '\\' {
		return '_'
	}
	return r
}
