package main

import (
	"context"
	"errors"
	"os"
	"strings"

	"bullpen/config"
	"bullpen/office"
)

// setName writes an office's name into its office.yaml, under the file's lock.
func setName(ctx context.Context, dir, name string) error {
	name = strings.TrimSpace(name)
	if name == "" || strings.ContainsAny(name, "\n\r") {
		return &exitError{exitConfig, errors.New("an office's name is one line of text: give it one")}
	}
	_, err := config.OpenFile(dir, os.LookupEnv, setup).Edit(ctx, office.SetOffice{Fields: map[string]any{"name": name}})
	return err
}
