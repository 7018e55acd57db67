package redis

import (
	"crypto/tls"
	"errors"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	driver "github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

const (
	// defaultTTL is how long a lease lasts unless Options says otherwise.
	defaultTTL = 15 * time.Second
	// netTimeout bounds a dial, a read and a write, where Client does not.
	netTimeout = 5 * time.Second
)

// Options say where an office's record is.
type Options struct {
	// URL names the servers, unless Client is set:
	//
	//	redis://user:password@host:6379/0            one server; rediss:// with TLS
	//	unix:///run/redis.sock?db=0                  one server by its socket
	//	redis+sentinel://user:password@s1:26379,s2:26379/master/0
	//	redis+cluster://user:password@h1:6379,h2:6379
	//
	// rediss+sentinel and rediss+cluster use TLS. A password is percent-encoded.
	// The options of redis:// and unix:// are those of go-redis' ParseURL; those
	// of redis+sentinel are sentinel_username and sentinel_password.
	URL string
	// Client connects in every way that go-redis knows. Reads never go to
	// replicas, whatever it says.
	Client *driver.UniversalOptions
	// Office is the office's id: every key is below it.
	Office string
	// LeaseTTL is how long a lease lasts without renewal: 15 s unless given.
	LeaseTTL time.Duration
}

// connection is how to connect, and where to in words.
func (o Options) connection() (*driver.UniversalOptions, string, error) {
	var c driver.UniversalOptions
	switch {
	case o.Client != nil:
		c = *o.Client
		c.Addrs = slices.Clone(c.Addrs)
	case o.URL != "":
		parsed, err := parseURL(o.URL)
		if err != nil {
			return nil, "", err
		}
		c = *parsed
	default:
		return nil, "", errors.New("no Redis is named: give its address, like redis://localhost:6379")
	}
	harden(&c)
	where := strings.Join(c.Addrs, ", ")
	if c.MasterName != "" {
		where = c.MasterName + " of " + where
	}
	return &c, where, nil
}

// harden sets what the store depends on.
func harden(c *driver.UniversalOptions) {
	c.ContextTimeoutEnabled = true
	c.ReadOnly, c.RouteByLatency, c.RouteRandomly = false, false, false
	c.DisableIdentity = true
	c.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	c.ClientSideCacheConfig, c.ClientSideCache = nil, nil
	for _, d := range []*time.Duration{&c.DialTimeout, &c.ReadTimeout, &c.WriteTimeout} {
		if *d <= 0 {
			*d = netTimeout // without an end a silent server would hold the office for ever
		}
	}
	if c.DialerRetries == 0 {
		c.DialerRetries = 1 // commands are tried again as a whole
	}
}

// errURL does not quote what was given: it may hold a password.
var errURL = errors.New("the address of Redis cannot be read: write it like redis://user:password@host:6379/0, " +
	"redis+sentinel://host:26379,host:26379/master or redis+cluster://host:6379,host:6379, with signs in the password percent-encoded")

// parseURL reads Options.URL.
func parseURL(raw string) (*driver.UniversalOptions, error) {
	scheme, rest, ok := strings.Cut(raw, "://")
	if !ok {
		return nil, errURL
	}
	base, way, _ := strings.Cut(scheme, "+")
	if way == "" {
		return parseSimple(raw)
	}
	if base != "redis" && base != "rediss" || way != "sentinel" && way != "cluster" {
		return nil, errURL
	}
	addrs, u, err := parseHosts(rest)
	if err != nil {
		return nil, err
	}
	c := &driver.UniversalOptions{Addrs: addrs, Username: u.User.Username()}
	c.Password, _ = u.User.Password()
	if base == "rediss" {
		c.TLSConfig = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	path := strings.Trim(u.Path, "/")
	if way == "cluster" {
		c.IsClusterMode = true
		if path != "" && path != "0" {
			return nil, errors.New("a Redis Cluster has the database 0 alone: leave the number out of its address")
		}
		return c, nil
	}
	return c, sentinel(c, path, u.Query())
}

// sentinel reads the master's name, the database and the sentinels' own credentials.
func sentinel(c *driver.UniversalOptions, path string, query url.Values) error {
	name, db, _ := strings.Cut(path, "/")
	if name == "" {
		return errors.New("the address of Redis behind Sentinel lacks the master's name: write redis+sentinel://host:26379/name")
	}
	c.MasterName = name
	c.SentinelUsername, c.SentinelPassword = query.Get("sentinel_username"), query.Get("sentinel_password")
	if db == "" {
		return nil
	}
	n, err := dbNumber(db)
	c.DB = n
	return err
}

// parseSimple reads the address of one server.
func parseSimple(raw string) (*driver.UniversalOptions, error) {
	p, err := driver.ParseURL(raw)
	if err != nil {
		return nil, errURL
	}
	c := &driver.UniversalOptions{
		Addrs: []string{p.Addr}, DB: p.DB, Username: p.Username, Password: p.Password, TLSConfig: p.TLSConfig,
		Protocol: p.Protocol, ClientName: p.ClientName, MaxRetries: p.MaxRetries,
		MinRetryBackoff: p.MinRetryBackoff, MaxRetryBackoff: p.MaxRetryBackoff,
		DialTimeout: p.DialTimeout, ReadTimeout: p.ReadTimeout, WriteTimeout: p.WriteTimeout,
		PoolFIFO: p.PoolFIFO, PoolSize: p.PoolSize, PoolTimeout: p.PoolTimeout,
		MinIdleConns: p.MinIdleConns, MaxIdleConns: p.MaxIdleConns, MaxActiveConns: p.MaxActiveConns,
		ConnMaxIdleTime: p.ConnMaxIdleTime, ConnMaxLifetime: p.ConnMaxLifetime,
	}
	return c, nil
}

// parseHosts reads what follows the scheme where there are several hosts, which
// net/url does not take.
func parseHosts(rest string) ([]string, *url.URL, error) {
	authority, tail := rest, ""
	if i := strings.IndexAny(rest, "/?"); i >= 0 {
		authority, tail = rest[:i], rest[i:]
	}
	user, hosts := "", authority
	if i := strings.LastIndexByte(authority, '@'); i >= 0 {
		user, hosts = authority[:i+1], authority[i+1:]
	}
	addrs := strings.Split(hosts, ",")
	for _, a := range addrs {
		if _, port, err := net.SplitHostPort(a); err != nil || port == "" {
			return nil, nil, errURL
		}
	}
	u, err := url.Parse("redis://" + user + addrs[0] + tail)
	if err != nil {
		return nil, nil, errURL
	}
	return addrs, u, nil
}
