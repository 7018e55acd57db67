package sqlite

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// BenchmarkFsync is the disk's own share: 4 KB appended and made durable.
func BenchmarkFsync(b *testing.B) {
	f, err := os.Create(filepath.Join(b.TempDir(), "raw"))
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	page := make([]byte, 4096)
	if _, err := f.Write(make([]byte, 4<<20)); err != nil {
		b.Fatal(err)
	}
	off := int64(0)
	for b.Loop() {
		if _, err := f.WriteAt(page, off%(4<<20)); err != nil {
			b.Fatal(err)
		}
		if err := syscall.Fdatasync(int(f.Fd())); err != nil {
			b.Fatal(err)
		}
		off += int64(len(page))
	}
}
