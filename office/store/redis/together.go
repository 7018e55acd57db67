package redis

import (
	"context"
	_ "embed"
	"fmt"

	driver "github.com/redis/go-redis/v9"
)

//go:embed lua/together.lua
var togetherText string

var togetherScript = driver.NewScript(togetherText)

// reads are commands that read one moment of the record.
type reads struct {
	keys []string
	args []any
}

// add adds a command.
func (r *reads) add(command string, k key, args ...any) {
	r.keys = append(r.keys, k.name)
	r.args = append(r.args, command, len(r.keys), len(args))
	r.args = append(r.args, args...)
}

// replies are what the commands answered, in their order.
type replies []any

// together runs the commands.
func (s *Store) together(ctx context.Context, r *reads) (replies, error) {
	all, err := togetherScript.Run(ctx, s.client, r.keys, r.args...).Slice()
	if err == nil && len(all) != len(r.keys) {
		err = fmt.Errorf("%d answers to %d commands", len(all), len(r.keys))
	}
	return all, err
}

// number is the answer of a command that counts.
func (r replies) number(i int) int64 {
	n, _ := r[i].(int64)
	return n
}

// list is the answer of a command that lists; what is not there is nil.
func (r replies) list(i int) []any {
	l, _ := r[i].([]any)
	return l
}

// texts is a list without holes.
func (r replies) texts(i int) []string {
	l := r.list(i)
	all := make([]string, 0, len(l))
	for _, v := range l {
		if text, ok := v.(string); ok {
			all = append(all, text)
		}
	}
	return all
}

// fields are the answer of HGETALL.
func (r replies) fields(i int) map[string]string {
	l := r.texts(i)
	all := make(map[string]string, len(l)/2)
	for j := 0; j+1 < len(l); j += 2 {
		all[l[j]] = l[j+1]
	}
	return all
}
