package redis

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	driver "github.com/redis/go-redis/v9"
)

// dbNumber reads the number of a database.
func dbNumber(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0, errors.New("the database in the address of Redis is no number")
	}
	return n, nil
}

// check refuses a server that cannot keep a record, and learns what it could lose.
func (s *Store) check(ctx context.Context) error {
	node, err := s.node(ctx)
	if err != nil {
		return s.fault("reach", err)
	}
	f, err := factsOf(ctx, node)
	if err != nil {
		return s.fault("reach", err)
	}
	if err := f.refusal(s.where); err != nil {
		return err
	}
	_, cluster := s.client.(*driver.ClusterClient)
	s.durability = f.durability(s.where, cluster)
	return s.checkFormat(ctx)
}

// node is the server that holds the office.
func (s *Store) node(ctx context.Context) (driver.Cmdable, error) {
	if c, ok := s.client.(*driver.ClusterClient); ok {
		return c.MasterForKey(ctx, s.keys.head())
	}
	return s.client, nil
}

// checkFormat refuses a record of a layout that this program does not know.
func (s *Store) checkFormat(ctx context.Context) error {
	is, err := s.client.HGet(ctx, s.keys.head(), "format").Result()
	switch {
	case errors.Is(err, driver.Nil):
		return nil
	case err != nil:
		return s.fault("read", err)
	case is != format:
		return fmt.Errorf("the office's record in Redis at %s has the format %q and this program knows %q alone: run the program that wrote it", s.where, is, format)
	}
	return nil
}

// facts are what a server tells of itself; what it does not tell is not there.
type facts map[string]string

// factsOf asks. Many a managed Redis permits no CONFIG, some no INFO.
func factsOf(ctx context.Context, node driver.Cmdable) (facts, error) {
	f := facts{}
	if err := node.Ping(ctx).Err(); err != nil {
		return nil, err
	}
	for _, section := range []string{"server", "memory", "persistence", "replication"} {
		text, err := node.Info(ctx, section).Result()
		if told, err := told(err); !told {
			if err != nil {
				return nil, err
			}
			continue
		}
		f.addInfo(text)
	}
	for _, name := range []string{"maxmemory-policy", "appendonly", "appendfsync", "no-appendfsync-on-rewrite", "save"} {
		values, err := node.ConfigGet(ctx, name).Result()
		if told, err := told(err); !told {
			if err != nil {
				return nil, err
			}
			continue
		}
		for k, v := range values {
			f[k] = v
		}
	}
	return f, nil
}

// told says whether there was an answer. That it is not permitted is none, but
// no error either; that Redis wants a password is one.
func told(err error) (bool, error) {
	var said driver.Error
	switch {
	case err == nil:
		return true, nil
	case driver.HasErrorPrefix(err, "NOAUTH"), driver.HasErrorPrefix(err, "LOADING"):
		return false, err
	case errors.As(err, &said):
		return false, nil
	}
	return false, err
}

func (f facts) addInfo(text string) {
	lines := bufio.NewScanner(strings.NewReader(text))
	for lines.Scan() {
		if k, v, ok := strings.Cut(lines.Text(), ":"); ok {
			f[k] = v
		}
	}
}

// The oldest version of Redis that has what we use: ZMSCORE, for one.
const oldestMajor, oldestMinor = 6, 2

// refusal says why this server cannot keep a record.
func (f facts) refusal(where string) error {
	if version := f["redis_version"]; version != "" && !recent(version) {
		return fmt.Errorf("the Redis at %s is version %s: bullpen needs %d.%d or later", where, version, oldestMajor, oldestMinor)
	}
	policy := f["maxmemory_policy"]
	if policy == "" {
		policy = f["maxmemory-policy"]
	}
	if policy != "" && policy != "noeviction" {
		return fmt.Errorf("the Redis at %s throws data away when its memory is full (maxmemory-policy %s), and the office's record with it: "+
			"set it with: redis-cli config set maxmemory-policy noeviction, and in redis.conf", where, policy)
	}
	return nil
}

func recent(version string) bool {
	major, rest, _ := strings.Cut(version, ".")
	minor, _, _ := strings.Cut(rest, ".")
	a, err1 := strconv.Atoi(major)
	b, err2 := strconv.Atoi(minor)
	if err1 != nil || err2 != nil {
		return true // not a number we could judge
	}
	return a > oldestMajor || a == oldestMajor && b >= oldestMinor
}

// durability is what this server could lose, in sentences.
func (f facts) durability(where string, cluster bool) string {
	text := "Redis at " + where + " " + f.persistence() + "."
	if f["maxmemory_policy"] == "" && f["maxmemory-policy"] == "" {
		text += " Whether it throws data away when its memory is full it does not tell: its maxmemory-policy must be noeviction."
	}
	replicas, _ := strconv.Atoi(f["connected_slaves"])
	if replicas > 0 || cluster {
		text += " After a failover what had not reached the new server is lost; the office notices that its record went back, and loads it again."
	}
	return text
}

func (f facts) persistence() string {
	const whole = "; to lose nothing: redis-cli config set appendonly yes, config set appendfsync always, and in redis.conf"
	aof := f["appendonly"] == "yes" || f["aof_enabled"] == "1"
	_, known := f["aof_enabled"]
	if _, ok := f["appendonly"]; ok {
		known = true
	}
	switch {
	case !known:
		return "does not tell how it keeps its data: ask whoever runs it whether appendonly is yes and appendfsync always"
	case aof && f["appendfsync"] == "always" && f["no-appendfsync-on-rewrite"] == "yes":
		return "writes each commit to its disk before it counts, but not while it rewrites its log; to lose nothing: redis-cli config set no-appendfsync-on-rewrite no"
	case aof && f["appendfsync"] == "always":
		return "writes each commit to its disk before it counts, so nothing is lost when it or its machine stops"
	case aof && f["appendfsync"] == "everysec":
		return "can lose about the last second of commits when its machine stops (appendfsync everysec)" + whole
	case aof && f["appendfsync"] == "no":
		return "can lose about the last half minute of commits when its machine stops (appendfsync no)" + whole
	case aof:
		return "keeps a log of all it does, but does not tell when that reaches its disk: ask whoever runs it whether appendfsync is always"
	case f["save"] == "" && f["appendonly"] != "":
		return "keeps its data in memory alone and loses the office when it stops (appendonly no, no save)" + whole
	default:
		return "can lose all commits since its last snapshot when it stops (appendonly no)" + whole
	}
}
