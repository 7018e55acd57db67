package slack

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
)

// maxFile is the biggest file of the stand-in, in bytes; Slack's own is 1 GB (D: files.getUploadURLExternal).
const maxFile = 1 << 30

// File is one that was shared.
type File struct {
	ID, Name, Title, Type string
	Data                  []byte
	// Elsewhere makes its private address one of another host.
	Elsewhere string

	size   int
	user   string
	shares map[string][]map[string]any // by channel
}

// Share says text in a channel with a file: a file_share. An empty rootTS is the channel itself.
func (p *Person) Share(channel, rootTS, text string, files ...*File) (ts string, err error) {
	said := text
	if said == "" {
		said = " " // the client sends none
	}
	return p.post(channel, rootTS, said, func(m *message) {
		m.subtype = "file_share"
		if text == "" {
			m.text, m.blocks = "", nil
		}
		for _, f := range files {
			p.s.keepFile(f, m.user)
			m.files = append(m.files, f)
		}
	})
}

func (s *Server) keepFile(f *File, user string) {
	if f.ID == "" {
		f.ID = fmt.Sprintf("F0%06d", len(s.files)+1)
	}
	if f.size == 0 {
		f.size = len(f.Data)
	}
	f.user = user
	s.files[f.ID] = f
}

func (s *Server) fileObject(f *File) map[string]any {
	address := "http://" + s.host + "/files-pri/" + f.ID
	if f.Elsewhere != "" {
		address = f.Elsewhere
	}
	o := map[string]any{
		"id": f.ID, "name": f.Name, "title": f.Title, "mimetype": f.Type, "size": f.size, "user": f.user,
		"mode": "hosted", "url_private": address, "url_private_download": address,
	}
	if len(f.shares) > 0 {
		o["shares"] = map[string]any{"public": f.shares}
	}
	return o
}

// filesInfo is D: files.info.
func filesInfo(s *Server, a args) (reply, *refusal) {
	f := s.files[a["file"]]
	if f == nil {
		return nil, refuse("file_not_found")
	}
	return reply{"file": s.fileObject(f)}, nil
}

// getUploadURL is D: files.getUploadURLExternal.
func getUploadURL(s *Server, a args) (reply, *refusal) {
	n, err := strconv.Atoi(a["length"])
	if err != nil || n <= 0 || n > maxFile {
		return nil, refuse("invalid_arguments", "invalid length [json-pointer:/length]")
	}
	f := &File{Name: a["filename"], size: n}
	s.keepFile(f, s.ws.BotUserID)
	return reply{"upload_url": "http://" + s.host + "/upload/v1/" + f.ID, "file_id": f.ID}, nil
}

// meant is the file whose id follows prefix in a request's path, nil if there is none, and the fault that
// is planned under name; while the server is offline, a cut.
func (s *Server) meant(r *http.Request, name, prefix string) (*File, Fault) {
	if s.listener.IsShut() {
		return nil, LostCall()
	}
	s.lock()
	defer s.unlock()
	return s.files[strings.TrimPrefix(r.URL.Path, prefix)], s.faults.Take(name)
}

// serveUpload takes the bytes (D: uploading files, step 2).
func (s *Server) serveUpload(w http.ResponseWriter, r *http.Request) {
	f, fault := s.meant(r, "upload", "/upload/v1/")
	if fault.Cut != CutNowhere || f == nil {
		cut(w)
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxFile)
	data, err := uploaded(r)
	if err != nil || len(data) != f.size { // D: the length is checked
		http.Error(w, "bad upload", http.StatusBadRequest)
		return
	}
	s.lock()
	f.Data = data
	s.unlock()
	_, _ = io.WriteString(w, "OK - "+strconv.Itoa(len(data)))
}

func uploaded(r *http.Request) ([]byte, error) {
	if !strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/") {
		return io.ReadAll(r.Body)
	}
	part, _, err := r.FormFile("file")
	if err != nil {
		return nil, err
	}
	return io.ReadAll(part)
}

// completeUpload is D: files.completeUploadExternal.
func completeUpload(s *Server, a args) (reply, *refusal) {
	var list []struct{ ID, Title string }
	if json.Unmarshal([]byte(a["files"]), &list) != nil || len(list) == 0 {
		return nil, refuse("invalid_arguments", "invalid files [json-pointer:/files]")
	}
	c, ref := s.postable(a["channel_id"])
	if ref != nil {
		return nil, ref
	}
	m := s.ownMessage(draft{text: a["initial_comment"]})
	m.subtype = "file_share"
	if ref := s.place(c, m, args{"thread_ts": a["thread_ts"]}); ref != nil {
		return nil, ref
	}
	var out []any
	for _, x := range list {
		f := s.files[x.ID]
		if f == nil || len(f.Data) == 0 {
			return nil, refuse("file_not_found")
		}
		f.Title = x.Title
		m.files = append(m.files, f)
		out = append(out, map[string]any{"id": f.ID, "title": f.Title})
	}
	s.publish(c, m)
	for _, f := range m.files {
		if f.shares == nil {
			f.shares = map[string][]map[string]any{}
		}
		f.shares[c.id] = append(f.shares[c.id], map[string]any{"ts": m.ts, "thread_ts": m.threadTS})
	}
	return reply{"files": out}, nil
}

// servePrivate gives a file to who has a token with files:read (D: file objects, url_private).
func (s *Server) servePrivate(w http.ResponseWriter, r *http.Request) {
	f, fault := s.meant(r, "files-pri", "/files-pri/")
	s.mu.Lock()
	good := r.Header.Get("Authorization") == "Bearer "+s.opts.BotToken && s.scopes["files:read"]
	s.mu.Unlock()
	switch {
	case fault.Cut != CutNowhere:
		cut(w)
	case fault.Status != 0:
		w.WriteHeader(fault.Status)
	case !good: // D: without the token it is the page to sign in
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<!DOCTYPE html><html><body>Sign in</body></html>")
	case f == nil:
		w.WriteHeader(http.StatusNotFound)
	default:
		_, _ = w.Write(f.Data)
	}
}
