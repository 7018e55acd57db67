package office

import (
	"fmt"
	"math"
	"math/bits"
	"strings"
)

// Money is an amount of US dollars, in millionths of a millionth of one: what a
// token costs is a whole number of those. Sums that do not fit, of over nine million
// dollars, stay at the largest one.
type Money int64

// Dollar is one US dollar.
const Dollar Money = 1_000_000_000_000

// moneyDigits are the decimals that an amount can have.
const moneyDigits = 12

// ParseMoney reads an amount as people write it: 20 USD, 0.5 USD, $20 or 20. It is
// never negative.
func ParseMoney(text string) (Money, error) {
	s := strings.TrimSpace(text)
	if n := len(s) - len("USD"); n > 0 && strings.EqualFold(s[n:], "USD") {
		s = strings.TrimSpace(s[:n])
	} else {
		s = strings.TrimPrefix(s, "$")
	}
	whole, part, _ := strings.Cut(s, ".")
	part = strings.TrimRight(part, "0")
	wrong := fmt.Errorf("%q is no amount of money; write one like 20 USD or 0.50 USD", oneLine(text, nameLimit))
	if whole == "" || strings.HasSuffix(s, ".") || !digits(whole+part) || len(part) > moneyDigits {
		return 0, wrong
	}
	whole = strings.TrimLeft(whole, "0")
	if len(whole) > 6 {
		return 0, fmt.Errorf("%q is more money than can be counted; write less than 1000000 USD", oneLine(text, nameLimit))
	}
	return counted(whole, part), nil
}

// counted is the amount of some dollars, of seven digits at most, and decimals, of
// moneyDigits at most.
func counted(whole, part string) Money {
	var n uint64
	for _, r := range whole + part + strings.Repeat("0", moneyDigits-len(part)) {
		n = n*10 + uint64(r-'0')
	}
	return Money(min(n, math.MaxInt64))
}

func digits(s string) bool { return strings.Trim(s, "0123456789") == "" }

// String is the exact amount, as 20 USD or 0.125 USD.
func (m Money) String() string {
	part := strings.TrimRight(fmt.Sprintf("%012d", int64(m%Dollar)), "0")
	switch len(part) {
	case 0:
		return fmt.Sprintf("%d USD", int64(m/Dollar))
	case 1:
		part += "0"
	}
	return fmt.Sprintf("%d.%s USD", int64(m/Dollar), part)
}

// Short is the amount as people want to read what was spent: to the cent, or, where
// it is less than a dollar, to the hundredth of one; what is left over counts as one
// more.
func (m Money) Short() string {
	unit := Dollar / 100
	if m < Dollar {
		unit = Dollar / 10_000
	}
	if rest := m % unit; rest > 0 && m <= math.MaxInt64-unit {
		m += unit - rest
	}
	return m.String()
}

// MarshalText is the exact amount.
func (m Money) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (m *Money) UnmarshalText(text []byte) error {
	s, ok := strings.CutSuffix(string(text), " USD")
	whole, part, _ := strings.Cut(s, ".")
	if !ok || whole == "" || !digits(whole+part) || len(part) > moneyDigits || len(whole) > 7 {
		return fmt.Errorf("%q is no amount of money", text)
	}
	*m = counted(whole, part)
	return nil
}

// plus adds two amounts.
func (m Money) plus(n Money) Money {
	if n > math.MaxInt64-m {
		return math.MaxInt64
	}
	return m + n
}

// times is what a number of tokens costs at this price of one.
func (m Money) times(tokens int64) Money {
	if m <= 0 || tokens <= 0 {
		return 0
	}
	hi, lo := bits.Mul64(uint64(m), uint64(tokens))
	if hi > 0 || lo > math.MaxInt64 {
		return math.MaxInt64
	}
	return Money(lo)
}

// Price is what one token of each class costs. What a model thinks is billed as what
// it writes.
type Price struct{ Input, CacheRead, CacheWrite, Output Money }

// Of is what a request cost at this price.
func (p Price) Of(u Usage) Money {
	return p.Input.times(u.Input).plus(p.CacheRead.times(u.CacheRead)).
		plus(p.CacheWrite.times(u.CacheWrite)).plus(p.Output.times(u.Output))
}

// price is what a model costs, by its reference; false: nobody knows.
func (s *Setup) price(ref string) (Price, bool) {
	if p, ok := s.Prices[ref]; ok {
		return p, true
	}
	provider, _, _ := strings.Cut(ref, ":")
	p, ok := s.Prices[provider]
	return p, ok
}
