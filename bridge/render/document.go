package render

// Document is a text as its writer meant it, free of any platform's syntax.
type Document struct {
	Blocks []Block
}

// Block is one of [Paragraph], [Heading], [List], [Quote], [Code], [Table], [Rule] and [Raw].
type Block interface{ isBlock() }

// Paragraph is running text. Line ends within it are inlines of kind [Break].
type Paragraph struct {
	Inlines []Inline
}

// Heading is a title of level 1 to 6.
type Heading struct {
	Level   int
	Inlines []Inline
}

// List is a bullet list or, if Ordered, one numbered from Start.
type List struct {
	Ordered bool
	Start   int
	Items   []Item
}

// Item is one entry of a list.
type Item struct {
	Task Task
	// Continued says that the item began in an earlier part, so this is the rest of it. Writers that
	// can show an entry without its marker do so.
	Continued bool
	Blocks    []Block
}

// Task says whether a list item is a task and how it stands.
type Task uint8

// The states of a task.
const (
	NoTask Task = iota
	TaskOpen
	TaskDone
)

// Quote holds what somebody else said.
type Quote struct {
	Blocks []Block
}

// Code is preformatted text. Text has no final line end.
type Code struct {
	// Info is what stood behind the opening fence, at most 64 bytes, or empty.
	Info string
	Text string
}

// Align says how a table column is set.
type Align uint8

// The alignments of a column.
const (
	AlignNone Align = iota
	AlignLeft
	AlignCenter
	AlignRight
)

// Cell is the text of one table cell; it has no breaks.
type Cell []Inline

// Table has a header and rows of as many cells as Align has entries.
type Table struct {
	Align  []Align
	Header []Cell
	Rows   [][]Cell
	// Continued says that the table began in an earlier part; its header is then a repetition and does
	// not count as text.
	Continued bool
}

// Rule is a line across the text.
type Rule struct{}

// Raw is text that is shown exactly as it stands, such as a block of HTML. Text has no final line end.
type Raw struct {
	Text string
}

func (*Paragraph) isBlock() {}
func (*Heading) isBlock()   {}
func (*List) isBlock()      {}
func (*Quote) isBlock()     {}
func (*Code) isBlock()      {}
func (*Table) isBlock()     {}
func (*Rule) isBlock()      {}
func (*Raw) isBlock()       {}

// Style is a set of text styles.
type Style uint8

// The styles, which may be combined.
const (
	Strong Style = 1 << iota
	Emphasis
	Strike
)

// InlineKind says what an [Inline] is.
type InlineKind uint8

// The kinds of inline.
const (
	Text        InlineKind = iota // Text as it stands
	CodeSpan                      // code within a line
	Break                         // a line end; its Text is "\n"
	MentionSpan                   // a resolved name; its Text is the mention's label
)

// Inline is a run of text in one style. Runs are flat: what is nested in Markdown is a run with several
// styles here. Runs that follow one another with the same Link are one link.
type Inline struct {
	Kind  InlineKind
	Text  string
	Style Style
	// Link is an absolute address (http, https, ftp, mailto or tel) or empty.
	Link string
	// Mention is set for MentionSpan only.
	Mention Mention
}

// MentionKind says what a mention names.
type MentionKind uint8

// The kinds of mention.
const (
	Colleague MentionKind = iota + 1
	Person
	Channel
)

// Mention is a name in a text that the office knows.
type Mention struct {
	Kind MentionKind
	// ID is the platform's id of what is named, or empty where the platform has none; the label is then
	// all there is to show.
	ID string
	// Label is what a reader sees, with its sign: "@alice", "#general". If the resolver leaves it empty
	// it is what was written.
	Label string
}

// Language is the language of the code as a highlighter knows it: the first word of Info if it looks like
// one (letters, digits and "+-#._", at most 32 bytes), else empty.
func (c *Code) Language() string {
	word := c.Info
	for i := 0; i < len(word); i++ {
		if word[i] == ' ' || word[i] == '\t' {
			word = word[:i]
			break
		}
	}
	if !isLanguage(word) {
		return ""
	}
	return word
}

func isLanguage(word string) bool {
	if word == "" || len(word) > maxLanguage {
		return false
	}
	for i := 0; i < len(word); i++ {
		c := word[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
		case c == '+', c == '-', c == '#', c == '.', c == '_':
		default:
			return false
		}
	}
	return true
}

// Unquoted are blocks with their quotes, those in lists as well, taken out of them: for what stands in
// a quote on a platform that nests none.
func Unquoted(blocks []Block) []Block {
	var out []Block
	for _, block := range blocks {
		switch b := block.(type) {
		case *Quote:
			out = append(out, Unquoted(b.Blocks)...)
		case *List:
			flat := *b
			flat.Items = nil
			for _, item := range b.Items {
				item.Blocks = Unquoted(item.Blocks)
				flat.Items = append(flat.Items, item)
			}
			out = append(out, &flat)
		default:
			out = append(out, block)
		}
	}
	return out
}
