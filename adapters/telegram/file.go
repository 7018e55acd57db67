package telegram

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"strings"

	tg "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"bullpen/bridge"
	"bullpen/office"
)

// downloadMost is the biggest file that Telegram gives to bots, in bytes
// (core.telegram.org/bots/api#getfile).
const downloadMost = 20 << 20

// uploadMost is the biggest file that bots may send, photoMost the biggest that is
// shown as a picture, in bytes (core.telegram.org/bots/api#sending-files).
const (
	uploadMost = 50 << 20
	photoMost  = 10 << 20
)

var (
	_ bridge.Fetcher  = (*Adapter)(nil)
	_ bridge.Uploader = (*Adapter)(nil)
)

// filesOf are what came with a message. An animation comes as a document as well.
func filesOf(m *message) []bridge.File {
	var out []bridge.File
	add := func(f *media, name, kind string) {
		if f == nil || f.ID == "" {
			return
		}
		if f.Name != "" {
			name = f.Name
		}
		if f.Type != "" {
			kind = f.Type
		}
		out = append(out, bridge.File{ID: f.ID, Name: name, Type: kind, Size: f.Size})
	}
	switch {
	case m.Animation != nil:
		add(m.Animation, "animation.mp4", "video/mp4")
	case m.Document != nil:
		add(m.Document, "document", "")
	}
	if n := len(m.Photo); n > 0 {
		add(&m.Photo[n-1], "photo.jpg", "image/jpeg")
	}
	add(m.Voice, "voice.ogg", "audio/ogg")
	add(m.Audio, "audio.mp3", "audio/mpeg")
	add(m.Video, "video.mp4", "video/mp4")
	add(m.VideoNote, "video.mp4", "video/mp4")
	return out
}

// Fetch opens a file by its file_id, which stays good; the address that Telegram
// makes of it lasts an hour. See bridge.Fetcher.
func (a *Adapter) Fetch(ctx context.Context, id string) (io.ReadCloser, error) {
	var f struct {
		Path string `json:"file_path"`
	}
	err := a.ask(ctx, "getFile", tg.Params{"file_id": id}, &f)
	var e *callError
	switch {
	case errors.As(err, &e) && strings.Contains(e.text, "too big"):
		return nil, fmt.Errorf("it is over %d MB, the most that Telegram gives to bots (%w)", downloadMost>>20, office.ErrGone)
	case errors.As(err, &e) && e.answered() && e.after == 0:
		return nil, fmt.Errorf("it cannot be had from Telegram (%s): %w", e.text, office.ErrGone)
	case err != nil:
		return nil, err
	case f.Path == "" || path.IsAbs(f.Path):
		// A Bot API server of one's own gives paths of its own machine, which are not ours to read.
		return nil, fmt.Errorf("there is no address for it: %w", office.ErrGone)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, a.fileURL(f.Path), nil)
	if err != nil {
		return nil, a.scrub.Error(err)
	}
	resp, err := a.http.Do(req)
	if err != nil {
		return nil, a.scrub.Error(err)
	}
	if resp.StatusCode != http.StatusOK {
		_ = resp.Body.Close() // nothing in it is of use
		return nil, fmt.Errorf("the download is answered with %s", resp.Status)
	}
	return scrubbed{resp.Body, a}, nil
}

// fileURL is where a file is read; it holds the token.
func (a *Adapter) fileURL(at string) string {
	parts := strings.Split(at, "/")
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	return strings.TrimRight(a.opt.APIURL, "/") + "/file/bot" + a.opt.Token + "/" + strings.Join(parts, "/")
}

// scrubbed is a body whose errors hold no token.
type scrubbed struct {
	io.ReadCloser
	a *Adapter
}

func (s scrubbed) Read(p []byte) (int, error) {
	n, err := s.ReadCloser.Read(p)
	if err != nil && err != io.EOF { //nolint:errorlint // a reader's own end
		err = s.a.scrub.Error(err)
	}
	return n, err
}
