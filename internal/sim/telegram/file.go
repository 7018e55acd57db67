package telegram

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"unicode/utf8"
)

// Sizes of files on the public server (D: getFile, sending files).
const (
	maxDownload = 20 << 20
	maxUpload   = 50 << 20
	maxPhoto    = 10 << 20
	maxCaption  = 1024 // UTF-16 units after parsing; D: sendDocument
)

// Media is a file of a message.
type Media struct {
	// Kind is document, photo, voice, audio, video, video_note or animation.
	Kind string
	Name string // of documents, audio, video and animations
	Type string // media type
	Data []byte
	// Size is what the message says, if that is not the length of Data.
	Size int64
	// Gone makes its download fail.
	Gone bool
}

// attach gives a message a file, which it names by an id of its own.
func (s *Server) attach(m *message, f *Media) {
	s.nextFile++
	id := fmt.Sprintf("BQACAgIAAxkBAAI%06d", s.nextFile)
	s.files[id] = f
	m.media = f
	size := f.Size
	if size == 0 {
		size = int64(len(f.Data))
	}
	o := object{"file_id": id, "file_unique_id": "AQAD" + itoa(s.nextFile), "file_size": size}
	if f.Name != "" {
		o["file_name"] = f.Name
	}
	if f.Type != "" {
		o["mime_type"] = f.Type
	}
	if m.extra == nil {
		m.extra = object{}
	}
	switch f.Kind {
	case "photo": // in several sizes, without a name
		small := object{"file_id": id + "s", "file_unique_id": "AQADs", "file_size": 900, "width": 90, "height": 90}
		delete(o, "file_name")
		delete(o, "mime_type")
		o["width"], o["height"] = 800, 800
		m.extra["photo"] = []object{small, o}
	case "animation":
		m.extra["animation"], m.extra["document"] = o, o
	default:
		m.extra[f.Kind] = o
	}
}

func getFile(s *Server, p params) (any, *refusal) {
	f := s.files[p["file_id"]]
	switch {
	case f == nil:
		return nil, bad("wrong file_id or the file is temporarily unavailable") // P: openclaw docs
	case f.Size > maxDownload || len(f.Data) > maxDownload:
		return nil, bad("file is too big") // D: getFile; the wording is P
	}
	return object{"file_id": p["file_id"], "file_unique_id": "AQAD", "file_size": len(f.Data), "file_path": f.Kind + "s/" + p["file_id"]}, nil
}

// serveFile answers /file/bot<token>/<file_path> (D: getFile).
func (s *Server) serveFile(w http.ResponseWriter, r *http.Request) {
	token, path, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/file/bot"), "/")
	s.lock()
	fault := s.faults.Take("file")
	f := s.files[path[strings.LastIndexByte(path, '/')+1:]]
	good := token == s.opts.Token && !s.revoked
	s.unlock()
	switch {
	case fault.Cut != CutNowhere:
		panic(http.ErrAbortHandler)
	case fault.Status != 0:
		w.Header().Set("Location", fault.Location)
		w.WriteHeader(fault.Status)
	case !good || f == nil || f.Gone:
		w.WriteHeader(http.StatusNotFound)
	default:
		_, _ = io.Copy(w, bytes.NewReader(f.Data)) // whoever left early does not want it
	}
}

// sendFile is sendDocument, sendPhoto and the like: an upload with a caption.
func sendFile(kind string, most int) func(*Server, params) (any, *refusal) {
	return func(s *Server, p params) (any, *refusal) {
		c, thread, no := s.sendTo(p)
		if no != nil {
			return nil, no
		}
		data, uploaded := p[kind+".data"]
		switch {
		case !uploaded:
			return nil, bad("there is no " + kind + " in the request") // K
		case data == "":
			return nil, bad("file must be non-empty") // K
		case len(data) > most:
			return nil, &refusal{code: 413, text: "Request Entity Too Large"} // K
		}
		q := params{"text": p["caption"], "entities": p["caption_entities"]}
		var entities []byte
		if p["caption"] != "" {
			text, raw, no := content(q)
			if no != nil {
				return nil, no
			}
			if n := len(units(text)); n > maxCaption {
				return nil, bad("message caption is too long") // D; the wording is K
			}
			entities = raw
		}
		m := &message{from: botID, text: strings.TrimSpace(p["caption"]), entities: entities, thread: thread, silent: p.flag("disable_notification")}
		if no := c.reply(m, p); no != nil {
			return nil, no
		}
		if no := s.limited(c.id); no != nil {
			return nil, no
		}
		name := p[kind+".name"]
		if !utf8.ValidString(name) {
			return nil, bad("strings must be encoded in UTF-8") // K
		}
		s.attach(m, &Media{Kind: kind, Name: name, Data: []byte(data)})
		return s.messageObject(c, c.add(m), true), nil
	}
}
