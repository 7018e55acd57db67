package redis

import (
	"strings"
	"testing"

	"bullpen/office"

	driver "github.com/redis/go-redis/v9"
)

func TestEvictionIsRefused(t *testing.T) {
	t.Parallel()
	for _, policy := range []string{"allkeys-lru", "volatile-ttl"} {
		srv := ownServer(t, "--maxmemory", "100mb", "--maxmemory-policy", policy)
		_, err := Open(t.Context(), Options{URL: "unix://" + srv.addr, Office: "a"})
		if err == nil {
			t.Fatalf("a server that evicts (%s) was accepted", policy)
		}
		for _, part := range []string{policy, "config set maxmemory-policy noeviction"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("the refusal %q does not say %q", err, part)
			}
		}
	}
}

func TestDurabilityIsSaid(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"always", durable, "nothing is lost"},
		{"every second", []string{"--appendonly", "yes", "--appendfsync", "everysec"}, "the last second"},
		{"when the system wants", []string{"--appendonly", "yes", "--appendfsync", "no"}, "half minute"},
		{"not while rewriting", append([]string{"--no-appendfsync-on-rewrite", "yes"}, durable...), "no-appendfsync-on-rewrite no"},
		{"snapshots", []string{"--save", "60 1"}, "since its last snapshot"},
		{"memory alone", []string{"--save", ""}, "loses the office when it stops"},
		{"not told", []string{"--rename-command", "CONFIG", "", "--rename-command", "INFO", ""}, "does not tell"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := openAt(t, ownServer(t, tt.args...).addr, "a")
			if got := s.Durability(); !strings.Contains(got, tt.want) {
				t.Errorf("it says %q, want that %q", got, tt.want)
			}
		})
	}
	t.Run("failover", func(t *testing.T) {
		t.Parallel()
		s := openOnCluster(t, "durability").(*Store)
		if got := s.Durability(); !strings.Contains(got, "After a failover") {
			t.Errorf("of a cluster it says %q", got)
		}
	})
}

func TestOldVersionsAreRefused(t *testing.T) {
	t.Parallel()
	for version, ok := range map[string]bool{
		"5.0.14": false, "6.0.20": false, "6.2.0": true, "7.0.15": true, "7.2.4": true, "8.10.1": true, "10.0.0": true, "unstable": true, "": true,
	} {
		if err := (facts{"redis_version": version}).refusal("here"); (err == nil) != ok {
			t.Errorf("version %q: %v", version, err)
		}
	}
}

func TestRecordOfANewerProgram(t *testing.T) {
	t.Parallel()
	srv := sharedServer(t)
	if err := srv.client(t).HSet(t.Context(), "bullpen:{newer}:head", "format", "2").Err(); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), Options{URL: "unix://" + srv.addr, Office: "newer"}); err == nil || !strings.Contains(err.Error(), "format") {
		t.Errorf("Open: %v", err)
	}
}

func TestPassword(t *testing.T) {
	t.Parallel()
	const secret = "pa/ss:w@rd#1"
	srv := ownServer(t, "--requirepass", secret)
	open := func(password string) (*Store, error) {
		return Open(t.Context(), Options{Office: "a", Client: &driver.UniversalOptions{Addrs: []string{srv.addr}, Password: password}})
	}
	s, err := open(secret)
	if err != nil {
		t.Fatalf("Open with the password: %v", err)
	}
	defer s.Close()
	mustCommit(t, s, acquire(t, s), 1, office.PutPerson{})
	for _, wrong := range []string{"", secret + "x"} {
		_, err := open(wrong)
		if err == nil || strings.Contains(err.Error(), secret) || !strings.Contains(err.Error(), "password") {
			t.Errorf("Open with %q: %v", wrong, err)
		}
	}
	s, err = Open(t.Context(), Options{Office: "a", URL: "unix://default:pa%2Fss%3Aw%40rd%231@" + srv.addr})
	if err != nil {
		t.Fatalf("Open by URL: %v", err)
	}
	_ = s.Close()
}

func TestClosedStore(t *testing.T) {
	t.Parallel()
	s := openAt(t, sharedServer(t).addr, "closed")
	lease := acquire(t, s)
	for range 2 {
		if err := s.Close(); err != nil {
			t.Fatalf("Close: %v", err)
		}
	}
	if err := s.Commit(t.Context(), lease, numbered(1)); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("Commit: %v", err)
	}
	if _, err := s.Load(t.Context()); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("Load: %v", err)
	}
}
