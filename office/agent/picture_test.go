package agent

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"testing"
)

// painted is a picture whose left half is red and whose right half lets through.
func painted(w, h int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(10, 20, 10+w, 20+h))
	for y := range h {
		for x := range w / 2 {
			img.SetNRGBA(10+x, 20+y, color.NRGBA{R: 0xff, A: 0xff})
		}
	}
	return img
}

func near(a, b uint8) bool { return max(a, b)-min(a, b) < 12 }

// A picture that is too big for a model is made one that is not, and looks the same (B58).
func TestPicturesAreMadeToFit(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{9000, 40}, {30, 9001}, {2001, 2000}, {1, 1}, {9000, 1}} {
		w, h := size[0], size[1]
		var in, out bytes.Buffer
		if err := png.Encode(&in, painted(w, h)); err != nil {
			t.Fatal(err)
		}
		if err := fit(&in, image.Config{Width: w, Height: h}, &out); err != nil {
			t.Fatalf("%v: %v", size, err)
		}
		if n := out.Len(); n > pictureBytes {
			t.Errorf("%v: %d bytes", size, n)
		}
		got, err := jpeg.Decode(&out)
		if err != nil {
			t.Fatal(err)
		}
		b := got.Bounds()
		if max(b.Dx(), b.Dy()) != min(max(w, h), fittedSide) || b.Dx() < 1 || b.Dy() < 1 {
			t.Errorf("%v became %v", size, b)
		}
		if b.Dx() < 20 {
			continue
		}
		left := color.RGBAModel.Convert(got.At(b.Dx()/4, b.Dy()/2)).(color.RGBA)
		right := color.RGBAModel.Convert(got.At(b.Dx()*7/8, b.Dy()/2)).(color.RGBA)
		if !near(left.R, 255) || !near(left.G, 0) || !near(right.R, 255) || !near(right.G, 255) {
			t.Errorf("%v: left %v, right %v", size, left, right)
		}
	}
}

// What says of itself that it would fill the memory is not read; noise does not panic.
func TestPicturesThatCannotBeMadeToFit(t *testing.T) {
	t.Parallel()
	if err := fit(bytes.NewReader(nil), image.Config{Width: 60_000, Height: 60_000}, &bytes.Buffer{}); !errors.Is(err, errPixels) {
		t.Errorf("a picture of 3,600 megapixels: %v", err)
	}
	noise := make([]byte, 4096)
	for i := range noise {
		noise[i] = byte(rand.N(256))
	}
	if err := fit(bytes.NewReader(noise), image.Config{Width: 1, Height: 1}, &bytes.Buffer{}); err == nil {
		t.Error("noise is a picture")
	}
	if !tooBig(image.Config{Width: 10, Height: 10}, 4<<20) || tooBig(image.Config{Width: 10, Height: 10}, 3<<20) {
		t.Error("the size counts as it is encoded")
	}
}
