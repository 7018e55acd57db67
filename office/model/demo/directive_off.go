//go:build !faults

package demo

import (
	"context"

	"bullpen/office/model"
)

// directive is for test builds alone: see directive_on.go.
func directive(context.Context, turn) (*model.Response, error, bool) { return nil, nil, false }
