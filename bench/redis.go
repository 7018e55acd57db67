//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"bullpen/office"
	"bullpen/office/store/redis"
)

// redisCommits is how many commits a second Redis takes that waits for its disk with
// each, beside redis-benchmark with a script of as many operations, on one connection.
func redisCommits(ctx context.Context, b *bench) error {
	for _, tool := range []string{"redis-server", "redis-benchmark"} {
		if _, err := exec.LookPath(tool); err != nil {
			return fmt.Errorf("this is measured beside %s (Debian: apt-get install redis): %w", tool, err)
		}
	}
	dir, err := os.MkdirTemp("", "redis") // short: a socket's path has at most 107 bytes
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	socket := filepath.Join(dir, "s")
	server := exec.CommandContext(ctx, "redis-server", "--port", "0", "--unixsocket", socket, "--dir", dir, "--save", "",
		"--appendonly", "yes", "--appendfsync", "always", "--maxmemory-policy", "noeviction")
	if err := server.Start(); err != nil {
		return err
	}
	defer func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	}()
	if err := answers(ctx, socket); err != nil {
		return err
	}
	n := b.times(3000)
	var ours, raw []float64
	for round := range b.times(5) {
		rate, err := redisBenchmark(ctx, socket, n)
		if err != nil {
			return err
		}
		raw = append(raw, rate)
		if rate, err = commitRate(ctx, socket, fmt.Sprint("bench-", round), n); err != nil {
			return err
		}
		ours = append(ours, rate)
	}
	share := median(ours) / median(raw)
	b.add(row{
		name: "l  commits a second in Redis, appendfsync always", value: spread("%.0f", ours), target: "half of beside", met: judged(share >= 0.5),
		beside: fmt.Sprintf("redis-benchmark, a script of %d operations: %s; %.2f of it", 2*scriptOps, spread("%.0f", raw), share),
	})
	return nil
}

// answers waits until a server takes connections.
func answers(ctx context.Context, socket string) error {
	for {
		c, err := net.Dial("unix", socket)
		if err == nil {
			return c.Close()
		}
		if err := pause(ctx, 10*time.Millisecond); err != nil {
			return err
		}
	}
}

// scriptOps is how many HSET, and how many ZADD, the script of the yardstick runs: a
// commit of a message that starts a turn is 16 commands.
const scriptOps = 8

// redisBenchmark is the rate of the yardstick.
func redisBenchmark(ctx context.Context, socket string, n int) (float64, error) {
	script := fmt.Sprintf(`for i = 1, %d do redis.call('HSET', KEYS[1], ARGV[1] .. i, ARGV[2]) redis.call('ZADD', KEYS[2], i, ARGV[1] .. i) end return 'done'`, scriptOps)
	var out, said bytes.Buffer
	cmd := exec.CommandContext(ctx, "redis-benchmark", "-s", socket, "-c", "1", "-n", strconv.Itoa(n), "-r", "1000000000", "--csv",
		"EVAL", script, "2", "{raw}h", "{raw}z", "__rand_int__", strings.Repeat("x", 200))
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		return 0, fmt.Errorf("redis-benchmark: %w: %s", err, said.String())
	}
	// The last line is "test","rps",... in quotes.
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	fields := strings.Split(lines[len(lines)-1], `","`)
	if len(fields) < 2 {
		return 0, errors.New("redis-benchmark said: " + out.String())
	}
	return strconv.ParseFloat(strings.Trim(fields[1], `"`), 64)
}

// commitRate is the rate of commits of a message that starts a turn.
func commitRate(ctx context.Context, socket, id string, n int) (rate float64, err error) {
	s, err := redis.Open(ctx, redis.Options{URL: "unix://" + socket, Office: id})
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	lease, err := s.Acquire(ctx, office.Holder{Program: "bench"})
	if err != nil {
		return 0, err
	}
	began := time.Now()
	for i := int64(1); i <= int64(n); i++ {
		if err := s.Commit(ctx, lease, office.Batch{N: i, ID: fmt.Sprint("b", i), Changes: arrival(i)}); err != nil {
			return 0, err
		}
	}
	return float64(n) / time.Since(began).Seconds(), s.Release(ctx, lease)
}

// arrival is what a message that starts a turn commits.
func arrival(n int64) []office.Change {
	at := time.Now().UTC()
	m := &office.Message{
		No: n, Channel: "general", Seq: n, Author: office.Author{Kind: office.ByPerson, ID: "maria", Name: "Maria"},
		Text: "please look at the build of this morning, it is red again", At: at,
		Deliveries: []office.Delivery{{To: "c1", Name: "alice", Outcome: office.Delivered}},
	}
	conv := office.Conversation{Channel: "general"}
	return []office.Change{
		office.PutMeta{Meta: office.Meta{Message: n, Item: n, Turn: n, Entry: n}},
		office.PutMessage{Message: m},
		office.PutSeen{Event: fmt.Sprint("telegram:-100123:", n), Anchor: m.Anchor(), At: at},
		office.PutItem{Item: office.Item{ID: n % 100, To: "c1", Message: m.Anchor(), Conv: conv, Outcome: office.Delivered, Turn: n}},
		office.PutTurn{Turn: office.Turn{ID: n % 100, Colleague: "c1", Conv: conv, State: office.TurnOpen, Attempt: 1, Started: at}},
		office.AppendEntry{Entry: office.Entry{
			N: n, In: office.ContextID{Colleague: "c1"}, Turn: n, Kind: office.EntryFrame, At: at,
			Text: "[general-1] Maria: please look at the build of this morning, it is red again", Items: []int64{n},
		}},
	}
}
