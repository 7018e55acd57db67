package tool

import (
	"context"
	"encoding/json"

	"bullpen/office"
	"bullpen/office/agent/tool/file"
	"bullpen/office/model"
)

// fileTools are the tools on the colleague's workspace.
func fileTools() []Tool {
	var tools []Tool
	for _, f := range file.Tools() {
		class := office.EffectCall
		if f.Pure {
			class = office.PureCall
		}
		tools = append(tools, Tool{
			Tool:  model.Tool{Name: f.Name, Description: f.Description, Schema: f.Schema},
			Class: class,
			Run: func(ctx context.Context, env Env, args json.RawMessage) (string, error) {
				return f.Run(ctx, env.Workspace, args)
			},
		})
	}
	return tools
}
