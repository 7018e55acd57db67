package console

import (
	"hash/fnv"
	"os"
	"strconv"
)

// paint writes colours, or leaves them out where it is false.
type paint bool

// coloured says whether the person wants colours: https://no-color.org.
func coloured() bool { return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" }

// The colours' numbers of SGR, ECMA-48 8.3.117.
const (
	sgrBold   = 1
	sgrFaint  = 2
	sgrYellow = 33
)

// nameColours tell people apart; yellow is for notices.
var nameColours = []int{31, 32, 34, 35, 36}

func (p paint) as(sgr int, text string) string {
	if !p {
		return text
	}
	return "\x1b[" + strconv.Itoa(sgr) + "m" + text + "\x1b[0m"
}

func (p paint) bold(text string) string   { return p.as(sgrBold, text) }
func (p paint) dim(text string) string    { return p.as(sgrFaint, text) }
func (p paint) notice(text string) string { return p.as(sgrYellow, text) }

// name gives a name a colour that stays the same.
func (p paint) name(text string) string {
	h := fnv.New32a()
	_, _ = h.Write([]byte(text))
	return p.as(nameColours[h.Sum32()%uint32(len(nameColours))], text)
}
