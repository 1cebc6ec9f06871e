package remotebrowser_test

import (
	"go/format"
	"os"
	"path/filepath"
	"testing"
)

func TestRenderedFilesHaveTheFormatOfGofmt(t *testing.T) {
	files, err := filepath.Glob("*_generated.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("found %v, %v", files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		formatted, err := format.Source(text)
		if err != nil {
			t.Fatal(err)
		}
		if string(formatted) != string(text) {
			t.Errorf("%s is not", file)
		}
	}
}
