package remotechromedp_test

import (
	"archive/zip"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// serveModule writes a module into a folder in the layout of a module proxy: see "GOPROXY protocol" in the
// Go modules reference.
func serveModule(t *testing.T, proxy, folder, module string) {
	t.Helper()
	version := readVersion(t)
	served := filepath.Join(proxy, filepath.FromSlash(module), "@v")
	if err := os.MkdirAll(served, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(served, "list"), version+"\n")
	write(t, filepath.Join(served, version+".info"), `{"Version":"`+version+`"}`)
	write(t, filepath.Join(served, version+".mod"), read(t, filepath.Join(folder, "go.mod")))
	archive, err := os.Create(filepath.Join(served, version+".zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	packed := zip.NewWriter(archive)
	for _, path := range listModule(t, folder) {
		file, err := packed.Create(module + "@" + version + "/" + filepath.ToSlash(path))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := file.Write([]byte(read(t, filepath.Join(folder, path)))); err != nil {
			t.Fatal(err)
		}
	}
	if err := packed.Close(); err != nil {
		t.Fatal(err)
	}
}

// readVersion returns the version of both modules, from the client's User-Agent.
func readVersion(t *testing.T) string {
	t.Helper()
	found := regexp.MustCompile(`version = "(.+)"`).FindStringSubmatch(read(t, "../version.go"))
	if found == nil {
		t.Fatal("version.go has no version")
	}
	return "v" + found[1]
}

// listModule lists a module's files, without modules in folders below.
func listModule(t *testing.T, folder string) []string {
	t.Helper()
	var paths []string
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			_, err := os.Stat(filepath.Join(path, "go.mod"))
			if path != folder && err == nil {
				return filepath.SkipDir
			}
			return nil
		}
		inside, err := filepath.Rel(folder, path)
		paths = append(paths, inside)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
