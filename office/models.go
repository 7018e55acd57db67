package office

import (
	"context"
	"fmt"
)

// modelled is an Amendment that may give a colleague other models.
type modelled interface {
	// models are those that it names.
	models() []string
}

func (p HireCall) models() []string {
	if p.Setup.Model == "" {
		return p.Setup.Fallback
	}
	return append([]string{p.Setup.Model}, p.Setup.Fallback...)
}

func (p ConfigureCall) models() []string {
	var all []string
	if ref, ok := p.Fields["model"].(string); ok && ref != "" {
		all = append(all, ref)
	}
	more, err := namesIn(p.Fields["fallback"])
	if err != nil {
		return all // which the setting itself refuses
	}
	return append(all, more...)
}

// checkModels refuses an amendment that names a model which cannot be had, before
// anything of it is stored: the colleague's first turn would fail.
func (o *Office) checkModels(ctx context.Context, a Amendment) error {
	m, ok := a.(modelled)
	if !ok || o.checkModel == nil {
		return nil
	}
	for _, ref := range m.models() {
		if err := o.checkModel(ctx, ref); err != nil {
			return fmt.Errorf("the model %s cannot be used: %w", oneLine(ref, nameLimit), err)
		}
	}
	return nil
}
