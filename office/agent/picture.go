package agent

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	_ "image/gif" // read like the others
	"image/jpeg"
	_ "image/png" // read like the others
	"io"
	"path"
	"strings"
	"sync"

	"bullpen/office"
)

const (
	// pictureMost is the longest side of a picture that models take, in pixels;
	// pictureBytes its size, which counts when it is encoded in base64.
	pictureMost  = 8000
	pictureBytes = 5 << 20 * 3 / 4
	// fittedSide is the longest side of a copy that is made of one that is bigger.
	fittedSide = 2000
	// pixelsMost bounds a picture that is read at all: what a small file says of
	// itself could fill the memory.
	pixelsMost = 50_000_000
	// fittedQuality is how well a copy is kept, of 100.
	fittedQuality = 85
)

// errPixels refuses a picture that is too big to be read.
var errPixels = errors.New("it has too many pixels")

// shrinking keeps pictures from filling the memory together.
var shrinking sync.Mutex

// tooBig says whether a model would not take a picture.
func tooBig(c image.Config, size int64) bool {
	return c.Width > pictureMost || c.Height > pictureMost || size > pictureBytes
}

// fittedName is what the smaller copy of a picture is called.
func fittedName(name string) string {
	return strings.TrimSuffix(name, path.Ext(name)) + "-small.jpg"
}

// fit writes a picture as one that models take. shape is what it says of itself.
func fit(in io.Reader, shape image.Config, out io.Writer) error {
	if int64(shape.Width)*int64(shape.Height) > pixelsMost {
		return errPixels
	}
	shrinking.Lock()
	defer shrinking.Unlock()
	img, _, err := image.Decode(in)
	if err != nil {
		return err
	}
	return jpeg.Encode(out, shrunk(img, fittedSide), &jpeg.Options{Quality: fittedQuality})
}

// shrunk is a picture whose longer side has at most side pixels, on white where it
// lets something through. Each of its pixels is the mean of those that it stands for.
func shrunk(img image.Image, side int) *image.RGBA {
	b := img.Bounds()
	w, h := b.Dx(), b.Dy()
	longest := max(w, h, 1)
	side = min(side, longest)
	nw, nh := max(1, w*side/longest), max(1, h*side/longest)
	out := image.NewRGBA(image.Rect(0, 0, nw, nh))
	for y := range nh {
		for x := range nw {
			out.SetRGBA(x, y, mean(img, image.Rect(
				b.Min.X+x*w/nw, b.Min.Y+y*h/nh, b.Min.X+max((x+1)*w/nw, x*w/nw+1), b.Min.Y+max((y+1)*h/nh, y*h/nh+1),
			)))
		}
	}
	return out
}

func mean(img image.Image, of image.Rectangle) color.RGBA {
	var r, g, b, a, n uint64
	for y := of.Min.Y; y < of.Max.Y; y++ {
		for x := of.Min.X; x < of.Max.X; x++ {
			pr, pg, pb, pa := img.At(x, y).RGBA()
			r, g, b, a, n = r+uint64(pr), g+uint64(pg), b+uint64(pb), a+uint64(pa), n+1
		}
	}
	n = max(n, 1)
	white := 0xffff - a/n
	at := func(c uint64) uint8 { return uint8((c/n + white) >> 8) }
	return color.RGBA{at(r), at(g), at(b), 0xff}
}

// fitted makes a smaller copy of a picture that is too big for a model, beside it,
// and says so.
func (t *turn) fitted(name string, f office.File, shape image.Config) string {
	said := fmt.Sprintf("%q is a picture of %d x %d pixels, too big for a model", f.Name, shape.Width, shape.Height)
	small := fittedName(name)
	_, err := t.place(small, func(w io.Writer) error {
		in, err := t.env.Workspace.Open(name)
		if err != nil {
			return err
		}
		defer func() { _ = in.Close() }() // it was only read
		return fit(in, shape, w)
	})
	if err != nil {
		t.log.Info("a picture could not be made smaller", "file", name, "err", err)
		return said + "; make it smaller first."
	}
	return said + "; a smaller copy is " + small + "."
}
