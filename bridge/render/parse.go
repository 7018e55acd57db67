package render

import (
	"regexp"
	"strings"

	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	gmtext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// The bounds of Parse. What goes beyond them is shown, but plainly.
const (
	maxDepth     = 16       // quotes and lists inside one another; deeper ones are read as their contents
	maxSource    = 1 << 18  // bytes that are read as Markdown at all
	maxMarkers   = 100      // quote or list markers at the start of one line
	maxBrackets  = 3000     // "[" in one text; matching them takes time in the square of their number
	maxColumns   = 64       // of a table
	maxCells     = 20_000   // of a table, since short rows are filled up
	maxInfo      = 64       // bytes behind an opening fence
	maxLanguage  = 32       // bytes of a language name
	replacement  = "\uFFFD" // for what is not UTF-8, as the Unicode standard has it
	tableEntries = 200      // the transformer's priority, behind link definitions as in GFM
)

// Resolver tells what a name in a text stands for. It is asked with the sign and the name as written,
// "@alice" or "#general" (a fullwidth sign is passed as the ASCII one), and says no for a name it does
// not know. It should only look at what it has in memory.
type Resolver func(token string) (Mention, bool)

// Options guide [Parse] and [Literal]. The zero value is fine.
type Options struct {
	// Mentions resolves names in running text. Names in code, in links and in quotes are left alone:
	// quoting somebody is not calling them. Nil resolves none.
	Mentions Resolver
}

// bareURL is an address in running text. Unlike GFM it takes hosts without a dot, such as localhost, and
// ends at the punctuation of scripts that write no blanks.
var bareURL = regexp.MustCompile(`^(?:https?|ftp)://[-a-zA-Z0-9@:%._+~]+` +
	`(?:[/?#][^\pZ\pC<>` + "`" + `\x{3000}-\x{303F}\x{FF00}-\x{FFEF}]*)?`)

var markdown = parser.NewParser(
	parser.WithBlockParsers(parser.DefaultBlockParsers()...),
	parser.WithInlineParsers(append(parser.DefaultInlineParsers(),
		util.Prioritized(extension.NewTaskCheckBoxParser(), 0),
		util.Prioritized(extension.NewStrikethroughParser(), 500),
		util.Prioritized(extension.NewLinkifyParser(extension.WithLinkifyURLRegexp(bareURL)), 999),
	)...),
	parser.WithParagraphTransformers(append(parser.DefaultParagraphTransformers(),
		util.Prioritized(tableTransformer{}, tableEntries),
	)...),
)

// Parse reads a text as CommonMark with GFM tables, task lists, strikethrough and bare links.
//
// It takes any text. Where it differs from CommonMark, it does so to show what was written: HTML and
// character references such as "&lt;" stay as they are, a line end is a line end, links to anything but
// http, https, ftp, mailto and tel are spelled out, cells beyond a table's last column join the last,
// unused link definitions and overlong fence infos are text, and a text of markers alone is itself. What
// CommonMark itself hides stays hidden: the titles of links and the addresses behind their labels.
// Bytes that are not UTF-8, and NUL, become U+FFFD.
func Parse(source string, opts Options) (doc *Document) {
	source = clean(source)
	if tooDense(source) {
		return literal(source, opts)
	}
	// The parser is not ours: should it fail on some text, the text is shown as it is.
	defer func() {
		if recover() != nil {
			doc = literal(source, opts)
		}
	}()
	raw := []byte(source)
	root := markdown.Parse(gmtext.NewReader(raw))
	c := converter{source: raw, opts: opts, used: usedReferences(root)}
	doc = &Document{Blocks: c.blocks(root, 0, false)}
	if doc.Empty() && hasVisible(source) {
		return literal(source, opts)
	}
	return doc
}

// Literal makes a document that shows text exactly as it is, without reading Markdown in it: what a
// person typed on a platform whose text is not Markdown. Only names are resolved.
func Literal(text string, opts Options) *Document {
	return literal(clean(text), opts)
}

func literal(text string, opts Options) *Document {
	text = strings.Trim(text, "\n")
	if text == "" {
		return &Document{}
	}
	var b inlineBuilder
	b.literal(text)
	return &Document{Blocks: []Block{&Paragraph{Inlines: b.finish(opts.Mentions)}}}
}

// clean makes text valid UTF-8 with plain line ends.
func clean(text string) string {
	text = strings.ToValidUTF8(text, replacement)
	if strings.ContainsAny(text, "\r\x00") {
		text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", replacement).Replace(text)
	}
	return text
}

// tooDense recognises texts made to keep the parser busy. No one writes them for a reader.
func tooDense(source string) bool {
	if len(source) > maxSource || strings.Count(source, "[") > maxBrackets {
		return true
	}
	for line := range strings.SplitSeq(source, "\n") {
		if len(line) > maxMarkers && leadingMarkers(line) > maxMarkers {
			return true
		}
	}
	return false
}

// leadingMarkers counts what could open a quote or a list at the start of a line.
func leadingMarkers(line string) int {
	n := 0
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '>', c == '-', c == '*', c == '+', c == '.', c == ')':
			n++
		case c == ' ', c == '\t', c >= '0' && c <= '9':
		default:
			return n
		}
	}
	return n
}
