package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path"
	"strings"

	"bullpen/office"
	"bullpen/office/agent/tool/file"
	"bullpen/office/model"
)

// sendFileTool is send_file. What is sent is what the file holds at the call.
func sendFileTool() Tool {
	return Tool{
		Tool: model.Tool{
			Name:        "send_file",
			Description: "Send a file of your workspace to whoever you are talking with, to a channel, or to a person. It wakes nobody.",
			Schema: json.RawMessage(`{"type":"object","additionalProperties":false,"required":["path"],"properties":{` +
				`"path":{"type":"string","description":"Relative to your workspace."},` +
				`"text":{"type":"string","description":"What to say with it; may be left out."},` +
				`"to":{"type":"string","description":"Where it goes, unless it is where you were asked: a channel (#dev) or a person (@user)."}}}`),
		},
		Class: office.EffectCall, Run: sendFile,
	}
}

func sendFile(ctx context.Context, env Env, args json.RawMessage) (string, error) {
	var a struct {
		Path string `json:"path"`
		Text string `json:"text"`
		To   string `json:"to"`
	}
	if err := decode(args, &a); err != nil {
		return "", err
	}
	f, info, err := file.OpenRegular(env.Workspace, a.Path)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }() // it was only read
	if info.Size() == 0 {
		return "", fmt.Errorf("%s is empty", a.Path)
	}
	head := make([]byte, 512)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return "", fmt.Errorf("%s cannot be read: %w", a.Path, err)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return "", fmt.Errorf("%s cannot be read: %w", a.Path, err)
	}
	kind, _, _ := strings.Cut(http.DetectContentType(head[:n]), ";")
	kept, err := env.Office.KeepFile(ctx, path.Base(a.Path), kind, f)
	if err != nil {
		return "", err
	}
	res, err := env.Office.SendFile(ctx, env.Turn, office.SendFile{File: kept, Text: a.Text, To: a.To})
	switch {
	case err != nil:
		return "", err
	case res.Failed:
		return "", errors.New(res.Text)
	}
	return res.Text, nil
}
