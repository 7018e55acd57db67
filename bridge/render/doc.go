// Package render turns what a colleague wrote into something every platform can show.
//
// [Parse] reads CommonMark with the GFM tables, strikethrough, task lists and bare links, once, into a
// neutral [Document]; [Split] cuts a document into parts that fit a platform's limit; a writer per
// platform turns each part into that platform's form ([Markdown] and [Console] live here, the others in
// the adapters).
//
// Three promises hold for any text, however hostile:
//
//   - Parse always yields a document and keeps every visible character, HTML and entities included,
//     which are shown as they were written.
//   - Every part of Split fits the limit, measured after all that its writer adds, and is not empty.
//   - The visible characters of the parts, in order, are those of the document ([Visible] of
//     [Document.Text]); only white space at a cut goes. The one addition: a link too long for any part
//     is spelled out as "label (url)".
//
// Everything in this package is a pure function; documents may be shared between goroutines as long as
// nobody changes them.
package render
