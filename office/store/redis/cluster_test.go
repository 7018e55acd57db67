package redis

import (
	"context"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	driver "github.com/redis/go-redis/v9"
)

// cluster is three servers that share the slots.
type cluster []*server

const slots = 16384

var sharedCluster = sync.OnceValues(newCluster)

func newCluster() (c cluster, err error) {
	defer func() {
		if err != nil {
			c.remove()
		}
	}()
	for range 3 {
		s, err := newNode()
		if err != nil {
			return c, err
		}
		c = append(c, s)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	return c, c.join(ctx)
}

// newNode starts a node of a cluster; another program may take its port first.
func newNode() (*server, error) {
	var failed error
	for range 5 {
		port, bus, err := freePorts()
		if err != nil {
			return nil, err
		}
		dir, err := os.MkdirTemp("", "redis")
		if err != nil {
			return nil, err
		}
		s := &server{
			dir: dir, addr: net.JoinHostPort("127.0.0.1", port),
			args: append([]string{
				"--port", port, "--bind", "127.0.0.1", "--cluster-enabled", "yes", "--cluster-port", bus, "--cluster-node-timeout", "15000",
			}, durable...),
		}
		if failed = s.start(); failed == nil {
			return s, nil
		}
		s.remove()
	}
	return nil, failed
}

func freePorts() (port, bus string, err error) {
	a, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", "", err
	}
	defer a.Close()
	b, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", "", err
	}
	defer b.Close()
	of := func(l net.Listener) string { return strconv.Itoa(l.Addr().(*net.TCPAddr).Port) }
	return of(a), of(b), nil
}

// join makes one cluster of the nodes and returns when all of them say so.
func (c cluster) join(ctx context.Context) error {
	nodes := make([]*driver.Client, len(c))
	for i, s := range c {
		nodes[i] = driver.NewClient(&driver.Options{Addr: s.addr, DisableIdentity: true})
		defer nodes[i].Close()
	}
	for i, n := range nodes {
		from, to := i*slots/len(c), (i+1)*slots/len(c)-1
		if err := n.ClusterAddSlotsRange(ctx, from, to).Err(); err != nil {
			return err
		}
		if err := n.Do(ctx, "cluster", "set-config-epoch", i+1).Err(); err != nil {
			return err
		}
	}
	for _, s := range c[1:] {
		host, port, err := net.SplitHostPort(s.addr)
		if err != nil {
			return err
		}
		bus := s.args[7] // see newNode
		if err := nodes[0].Do(ctx, "cluster", "meet", host, port, bus).Err(); err != nil {
			return err
		}
	}
	for _, n := range nodes {
		if err := until(ctx, func() bool { return whole(n.ClusterInfo(ctx).Val(), len(c)) }); err != nil {
			return fmt.Errorf("the cluster did not come up: %w", err)
		}
	}
	return nil
}

func whole(info string, nodes int) bool {
	return strings.Contains(info, "cluster_state:ok") &&
		strings.Contains(info, fmt.Sprintf("cluster_slots_ok:%d", slots)) &&
		strings.Contains(info, fmt.Sprintf("cluster_known_nodes:%d", nodes))
}

// until waits for a condition.
func until(ctx context.Context, ok func() bool) error {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

func (c cluster) remove() {
	for _, s := range c {
		s.remove()
	}
}

func (c cluster) addrs() []string {
	all := make([]string, len(c))
	for i, s := range c {
		all[i] = s.addr
	}
	return all
}

func clusterOf(t testing.TB) cluster {
	t.Helper()
	c, err := sharedCluster()
	if err != nil {
		t.Fatal(err)
	}
	return c
}
