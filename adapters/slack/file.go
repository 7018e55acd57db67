package slack

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/slack-go/slack"

	"bullpen/adapters/slack/format"
	"bullpen/bridge"
	"bullpen/office"
)

// uploadMost is the biggest file that Slack takes, in bytes (docs.slack.dev,
// reference/methods/files.getUploadURLExternal).
const uploadMost = 1 << 30

// shareTries is how often Slack is asked where an uploaded file was shown.
const shareTries = 4

var (
	_ bridge.Fetcher  = (*Adapter)(nil)
	_ bridge.Uploader = (*Adapter)(nil)
)

// filesOf are what came with a message; what was deleted, or is hidden, is none.
func filesOf(raw json.RawMessage) []bridge.File {
	var all []struct {
		ID   word `json:"id"`
		Name word `json:"name"`
		Type word `json:"mimetype"`
		Mode word `json:"mode"`
		Size any  `json:"size"`
	}
	if len(raw) == 0 || json.Unmarshal(raw, &all) != nil {
		return nil
	}
	var out []bridge.File
	for _, f := range all {
		if f.ID == "" || f.Mode == "tombstone" {
			continue
		}
		size, _ := f.Size.(float64)
		name := string(f.Name)
		if name == "" {
			name = "file"
		}
		out = append(out, bridge.File{ID: string(f.ID), Name: name, Type: string(f.Type), Size: int64(size)})
	}
	return out
}

// Fetch opens a file by its id. The token goes to Slack's own hosts alone, which
// the library sees to. See bridge.Fetcher.
func (a *Adapter) Fetch(ctx context.Context, id string) (io.ReadCloser, error) {
	var f *slack.File
	err := a.ask(ctx, "files.info", func(ctx context.Context) (err error) {
		f, _, _, err = a.api.GetFileInfoContext(ctx, id, 0, 0)
		return err
	})
	switch code := codeOf(err); {
	case code == "missing_scope":
		a.problem("files:read", "the Slack app lacks the scope files:read, so files that people send cannot be read: add it under OAuth & Permissions and install the app again")
		return nil, fmt.Errorf("the Slack app lacks the scope files:read: %w", office.ErrGone)
	case code != "":
		return nil, fmt.Errorf("it cannot be had from Slack (%s): %w", code, office.ErrGone)
	case err != nil:
		return nil, err
	case f.IsExternal || f.URLPrivateDownload == "":
		return nil, fmt.Errorf("it stands elsewhere than in Slack: %w", office.ErrGone)
	}
	r, w := io.Pipe()
	go func() {
		// It ends with its reader, which closes the pipe, or with ctx.
		w.CloseWithError(a.scrub.Error(a.api.GetFileContext(ctx, f.URLPrivateDownload, w)))
	}()
	return r, nil
}

// FileMost is the biggest file that Slack takes. See bridge.Uploader.
func (a *Adapter) FileMost() int64 { return uploadMost }

// Upload shows a file in three steps, of which only the last can be seen. Slack
// shows files under the app's name alone, so the colleague's stands before it. See
// bridge.Uploader.
func (a *Adapter) Upload(ctx context.Context, out bridge.Outgoing) (bridge.Posted, error) {
	if failed := a.posts.wait(ctx, out.Place); failed != nil {
		return bridge.Posted{}, failed
	}
	id, failed := a.uploadBytes(ctx, out.File)
	if failed != nil {
		return bridge.Posted{}, failed
	}
	comment := ""
	if name := persona(out); name != "" {
		comment = "*" + format.Escape(name) + "*"
	}
	once, at := watched(ctx)
	_, err := a.api.CompleteUploadExternalContext(once, slack.CompleteUploadExternalParameters{
		Files: []slack.FileSummary{{ID: id, Title: out.File.Name}}, Channel: out.Place, ThreadTimestamp: out.Thread, InitialComment: comment,
	})
	if err != nil {
		e := a.explain("files.completeUploadExternal", err, at)
		a.posts.note(out.Place, e)
		return bridge.Posted{}, a.postError(e)
	}
	return a.whereShared(ctx, id, out), nil
}

// uploadBytes carries out what nobody sees; whatever goes wrong, nothing is shown.
func (a *Adapter) uploadBytes(ctx context.Context, f *bridge.Attachment) (id string, failed *bridge.PostError) {
	once, at := watched(ctx)
	u, err := a.api.GetUploadURLExternalContext(once, slack.GetUploadURLExternalParameters{FileName: f.Name, FileSize: int(f.Size)})
	if err != nil {
		e := a.explain("files.getUploadURLExternal", err, at)
		if e.code == "missing_scope" {
			a.problem("files:write", "the Slack app lacks the scope files:write, so colleagues cannot send files: add it under OAuth & Permissions and install the app again")
			return "", &bridge.PostError{Kind: bridge.PostRefused, Reason: "the Slack app lacks the scope files:write", Err: e}
		}
		return "", unseen(a.postError(e))
	}
	r, err := f.Open(ctx)
	if err != nil {
		kind := bridge.PostNotSent
		if errors.Is(err, office.ErrGone) {
			kind = bridge.PostRefused
		}
		return "", &bridge.PostError{Kind: kind, Reason: "the file cannot be read", Err: err}
	}
	defer func() { _ = r.Close() }() // it was only read
	once, at = watched(ctx)
	if err := a.api.UploadToURL(once, slack.UploadToURLParameters{UploadURL: u.UploadURL, Reader: r, Filename: f.Name}); err != nil {
		return "", unseen(a.postError(a.explain("the upload", err, at)))
	}
	return u.FileID, nil
}

// unseen is a failure of a step that shows nothing: it is certain.
func unseen(failed *bridge.PostError) *bridge.PostError {
	if failed.Kind == bridge.PostUnknown {
		failed.Kind = bridge.PostNotSent
	}
	return failed
}

// whereShared finds the message that shows a file; Slack makes it after it has
// answered. Where it cannot be found the file's id stands for it.
func (a *Adapter) whereShared(ctx context.Context, id string, out bridge.Outgoing) bridge.Posted {
	for try := 1; try <= shareTries; try++ {
		once, _ := watched(ctx)
		f, _, _, err := a.api.GetFileInfoContext(once, id, 0, 0)
		if err == nil {
			if all := slices.Concat(f.Shares.Public[out.Place], f.Shares.Private[out.Place]); len(all) > 0 {
				return bridge.Posted{ID: all[0].Ts, Thread: threadOf(all[0].Ts, all[0].ThreadTs)}
			}
		}
		if bridge.Pause(ctx, bridge.Backoff(try)/2) != nil {
			break
		}
	}
	return bridge.Posted{ID: "file:" + id, Thread: out.Thread}
}

// isFile says whether a message of ours shows a file: by its name and size, since a
// shared file carries no key.
func isFile(m *slack.Msg, f *bridge.Attachment) bool {
	return slices.ContainsFunc(m.Files, func(x slack.File) bool {
		return strings.EqualFold(x.Title, f.Name) && int64(x.Size) == f.Size
	})
}
