package openai

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"time"

	"bullpen/office/model"
)

// sentence says what happened and what mends it.
func (c *Client) sentence(f *fault, why reason, e *model.Error) string {
	switch {
	case f.movedTo != "":
		return fmt.Sprintf("%s redirects requests for %s to %s, where the key was not sent: set base_url to the right address", c.host, c.model, c.key.quote(f.movedTo))
	case f.webPage:
		return fmt.Sprintf("%s answered the request for %s with a web page: check base_url, it often ends in /v1", c.host, c.model)
	case f.garbled:
		return fmt.Sprintf("%s sent something for %s that is not the Chat Completions protocol: check base_url, or try again", c.host, c.model)
	case f.gaveUp != "":
		return fmt.Sprintf("%s gave up in the middle of its answer (%s): try again", c.model, c.key.quote(f.gaveUp))
	case f.empty != "":
		return fmt.Sprintf("%s sent an empty answer (%s): ask again", c.model, c.key.quote(f.empty))
	case f.refused != "":
		return fmt.Sprintf("%s declined to answer (%s): put the request differently", c.model, f.refused)
	case f.cause != nil:
		return c.connectionSentence(f)
	}
	return c.refusalSentence(f, why, e)
}

func (c *Client) refusalSentence(f *fault, why reason, e *model.Error) string {
	status := c.code(f)
	switch why {
	case noQuota:
		return fmt.Sprintf("the account behind %s has no quota left (%s): add credit at %s or wait for its reset", c.model, status, c.host)
	case tooLong:
		return fmt.Sprintf("the conversation is too long for %s (%s): it has to be shortened", c.model, status)
	case filtered:
		return fmt.Sprintf("%s declined this content (%s): put the request differently", c.model, status)
	case badKey:
		return c.keySentence(status)
	case noModel:
		return fmt.Sprintf("%s offers no model %s, or not with this key (%s): check the model's name", c.host, c.model, status)
	case noEffort:
		return fmt.Sprintf("%s does not take this thinking level (%s): set thinking to off or to another level", c.model, status)
	}
	switch e.Kind {
	case model.RateLimited:
		return fmt.Sprintf("%s is at its rate limit (%s): it can be asked again %s", c.model, status, inTime(e.RetryAfter))
	case model.Overloaded:
		return fmt.Sprintf("%s is overloaded or down (%s): it can be asked again %s", c.model, status, inTime(e.RetryAfter))
	case model.Timeout:
		return fmt.Sprintf("%s gave no answer in time (%s): try again", c.model, status)
	case model.Unavailable:
		if f.status == http.StatusForbidden {
			return fmt.Sprintf("%s may not be used with this key (%s): check what the key is allowed at %s", c.model, status, c.host)
		}
		return fmt.Sprintf("%s knows no chat completions there for %s (%s): check base_url", c.host, c.model, status)
	}
	return fmt.Sprintf("%s called the request malformed (%s: %s): check what it supports", c.model, status, c.key.quote(f.wire.Message))
}

func (c *Client) keySentence(status string) string {
	if c.hosted {
		return fmt.Sprintf("the key for %s was refused (%s): check OPENAI_API_KEY", c.model, status)
	}
	return fmt.Sprintf("the key for %s was refused by %s (%s): check the key of this endpoint", c.model, c.host, status)
}

// code is the status as people quote it, or the endpoint's own word.
func (c *Client) code(f *fault) string {
	switch {
	case f.status != 0:
		return fmt.Sprint(f.status)
	case f.wire.Code != "":
		return oneLine(c.key.scrub(f.wire.Code), maxCodeLen)
	}
	return "an error inside its answer"
}

func inTime(wait time.Duration) string {
	if wait <= 0 {
		return "in a while"
	}
	if wait > time.Second {
		wait = wait.Round(time.Second)
	}
	return "in " + wait.String()
}

// connectionKind separates what time mends from what a person has to.
func connectionKind(f *fault) model.Kind {
	var cert *tls.CertificateVerificationError
	var plain tls.RecordHeaderError
	switch {
	case f.ctx != nil:
		return model.Timeout
	case errors.Is(f.cause, errTooLarge), errors.As(f.cause, &cert), errors.As(f.cause, &plain),
		strings.Contains(f.cause.Error(), "server gave HTTP response to HTTPS client"):
		return model.Unavailable
	}
	return model.Timeout
}

func (c *Client) connectionSentence(f *fault) string {
	var cert *tls.CertificateVerificationError
	var dns *net.DNSError
	var dial *net.OpError
	switch {
	case errors.Is(f.cause, errTooSlow):
		return fmt.Sprintf("%s gave no whole answer within %s: try again, or allow it more time", c.model, c.timeout)
	case f.ctx != nil:
		return fmt.Sprintf("the request to %s was called off: ask again if the answer is still wanted", c.model)
	case errors.Is(f.cause, errTooLarge):
		return fmt.Sprintf("%s sent more for one answer of %s than is read (%d MiB): check base_url, or use another model", c.host, c.model, maxAnswerBytes>>20)
	case errors.As(f.cause, &cert):
		return fmt.Sprintf("%s, asked for %s, has a certificate that is not trusted: check base_url and the machine's certificates", c.host, c.model)
	case connectionKind(f) == model.Unavailable:
		return fmt.Sprintf("%s, asked for %s, does not speak TLS: check whether base_url should begin with http://", c.host, c.model)
	case errors.As(f.cause, &dns):
		return fmt.Sprintf("the address of %s, asked for %s, cannot be found: check base_url and the network", c.host, c.model)
	case errors.Is(f.cause, syscall.ECONNREFUSED):
		return fmt.Sprintf("nothing answers at %s, asked for %s: check that the server runs, and base_url", c.host, c.model)
	case errors.As(f.cause, &dial) && dial.Op == "dial":
		return fmt.Sprintf("%s, asked for %s, cannot be reached: check base_url and the network", c.host, c.model)
	case errors.Is(f.cause, os.ErrDeadlineExceeded):
		return fmt.Sprintf("%s gave no answer in time: try again", c.model)
	}
	return fmt.Sprintf("the connection to %s broke before its answer was whole: try again", c.model)
}
