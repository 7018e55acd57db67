package telegram

import (
	"context"
	"errors"
	"net/http"

	tg "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"bullpen/adapters/telegram/format"
	"bullpen/bridge"
	"bullpen/office"
)

// FileMost is the biggest file that bots may send. See bridge.Uploader.
func (a *Adapter) FileMost() int64 { return uploadMost }

// pictures are the media types that are shown as pictures.
var pictures = map[string]bool{"image/jpeg": true, "image/png": true, "image/webp": true}

// Upload shows a file under the colleague's name, in the topic of its place. See
// bridge.Uploader.
func (a *Adapter) Upload(ctx context.Context, out bridge.Outgoing) (bridge.Posted, error) {
	at, err := parsePlace(out.Place)
	if err != nil {
		return bridge.Posted{}, &bridge.PostError{Kind: bridge.PostRefused, Reason: err.Error(), Closed: true}
	}
	o := outgoing{place: at, reply: out.ReplyTo, file: out.File}
	if o.reply == "" {
		o.reply = out.Thread
	}
	var b format.Builder
	b.Styled("bold", format.Clip(out.Persona, personaMost))
	if out.Again {
		b.Plain(" " + againMark)
	}
	o.text, o.entities = b.Message()
	m, err := a.send(ctx, o)
	if err != nil {
		return bridge.Posted{}, err
	}
	return bridge.Posted{ID: native(at, m)}, nil
}

// upload makes the call that sends a file: as a picture, if it is one that
// Telegram shows.
func (a *Adapter) upload(ctx context.Context, o outgoing, chat int64, asFile bool, m *message) *callError {
	method, field := "sendDocument", "document"
	if pictures[o.file.Type] && o.file.Size <= photoMost && !asFile {
		method, field = "sendPhoto", "photo"
	}
	p := a.params(o, chat)
	delete(p, "text")
	delete(p, "link_preview_options")
	if o.text != "" {
		p["caption"] = o.text
	}
	if e, ok := p["entities"]; ok {
		p["caption_entities"] = e
		delete(p, "entities")
	}
	r, err := o.file.Open(ctx)
	if err != nil {
		return &callError{method: method, code: http.StatusGone, text: "it is no longer here", err: a.scrub.Error(err)}
	}
	defer func() { _ = r.Close() }() // it was only read
	c := &once{ctx: ctx, http: a.http}
	bot := a.bot
	bot.Client = c
	resp, err := bot.UploadFiles(method, p, []tg.RequestFile{{Name: field, Data: tg.FileReader{Name: o.file.Name, Reader: r}}})
	if err == nil && resp.Ok {
		if err = decode(resp.Result, m); err == nil {
			return nil
		}
		return &callError{method: method, reached: true, err: a.scrub.Error(err)}
	}
	e := a.explain(method, err, c)
	if resp != nil && !resp.Ok && e.code == 0 { // the library's error of an upload has no code
		e.code, e.text = resp.ErrorCode, a.scrub.Text(resp.Description)
		if resp.Parameters != nil {
			e.migrated = resp.Parameters.MigrateToChatID
			if e.code == http.StatusTooManyRequests {
				e.after = waitFor(resp.Parameters.RetryAfter)
			}
		} else if e.code == http.StatusTooManyRequests {
			e.after = waitFor(0)
		}
	}
	if errors.Is(err, office.ErrGone) {
		e.code, e.text = http.StatusGone, "it is no longer here"
	}
	return e
}
