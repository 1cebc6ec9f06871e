package remotechromedp_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/remote-browser/remote-browser-service/clients/go/internal/stage"
)

const clientModule = "github.com/remote-browser/remote-browser-service/clients/go"

// playReadme follows the README: it gets both modules from a module proxy into a new project, and runs the
// first snippet unchanged.
func playReadme(t *testing.T, place stage.Stage, _ stage.Scenario) {
	proxy := t.TempDir()
	serveModule(t, proxy, "..", clientModule)
	serveModule(t, proxy, ".", clientModule+"/remotechromedp")
	project := t.TempDir()
	snippet := regexp.MustCompile("(?s)```go\n(package main.*?)```").FindStringSubmatch(read(t, "../README.md"))
	if snippet == nil {
		t.Fatal("the README has no snippet that is a complete program")
	}
	write(t, filepath.Join(project, "main.go"), snippet[1])
	run := projectRunner(t, project, proxy, place)
	run("mod", "init", "example.com/reader")
	for _, line := range regexp.MustCompile(`(?m)^go get (\S+)`).FindAllStringSubmatch(read(t, "../README.md"), -1) {
		run("get", line[1])
	}
	if printed := run("run", "."); printed != "Hello from Go\n" {
		t.Fatalf("the snippet printed %q", printed)
	}
}

// projectRunner runs the go command in a project with its own module cache. Our modules come from the
// proxy, and others from the machine's cache.
func projectRunner(t *testing.T, project, proxy string, place stage.Stage) func(...string) string {
	cache := strings.TrimSpace(command(t, ".", os.Environ(), "env", "GOMODCACHE"))
	environment := append(os.Environ(),
		"RBS_URL="+place.URL,
		"RBS_TOKEN="+place.Token,
		"GOWORK=off",
		"GOMODCACHE="+t.TempDir(),
		"GOPROXY=file://"+proxy+",file://"+filepath.Join(cache, "cache", "download"),
		// Our modules aren't in the checksum database yet, and the others were verified when they were cached.
		"GOSUMDB=off",
		// Allow removing the folder, and make builds independent of its path.
		"GOFLAGS=-modcacherw -trimpath",
	)
	return func(arguments ...string) string {
		t.Helper()
		return command(t, project, environment, arguments...)
	}
}

func command(t *testing.T, folder string, environment []string, arguments ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	program := exec.CommandContext(ctx, "go", arguments...)
	program.Dir = folder
	program.Env = environment
	var words strings.Builder
	program.Stderr = &words
	printed, err := program.Output()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(arguments, " "), err, words.String())
	}
	return string(printed)
}
