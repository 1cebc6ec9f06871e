// Package stage runs the scenarios that all clients share.
package stage

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"
)

// Environment is the environment variable for the path of the stage file. Without it, tests skip the scenarios.
const Environment = "RBS_STAGE"

// Set is the contents of the stage file.
type Set struct {
	Stages    []Stage    `json:"stages"`
	Report    string     `json:"report"`
	Scenarios []Scenario `json:"scenarios"`
}

// Stage is a service under test behind a proxy that injects faults.
type Stage struct {
	Name   string            `json:"name"`
	URL    string            `json:"url"`
	Token  string            `json:"token"`
	Tokens map[string]string `json:"tokens"`
}

// Scenario is a test that every client has to pass.
type Scenario struct {
	ID    string   `json:"id"`
	Title string   `json:"title"`
	On    []string `json:"on"`
	Error *Error   `json:"error"`
}

// Error is the error that a scenario expects.
type Error struct {
	Name      string            `json:"name"`
	Status    int               `json:"status"`
	Class     string            `json:"class"`
	Provoke   map[string]string `json:"provoke"`
	Operation string            `json:"operation"`
}

// Read reads the stage file, or skips the test.
func Read(t *testing.T) Set {
	t.Helper()
	file := os.Getenv(Environment)
	if file == "" {
		t.Skip("npm run clients runs these")
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var set Set
	if err := json.Unmarshal(text, &set); err != nil {
		t.Fatalf("%s is not a stage file: %v", file, err)
	}
	return set
}

// Find returns the scenario with an id.
func (s Set) Find(t *testing.T, id string) Scenario {
	t.Helper()
	at := slices.IndexFunc(s.Scenarios, func(scenario Scenario) bool { return scenario.ID == id })
	if at < 0 {
		t.Fatalf("the table has no scenario %q", id)
	}
	return s.Scenarios[at]
}

// Run tests a scenario on each of its stages, and reports the results.
func (s Set) Run(t *testing.T, scenario Scenario, play func(*testing.T, Stage, Scenario)) {
	t.Helper()
	for _, stage := range s.Stages {
		if !slices.Contains(scenario.On, stage.Name) {
			continue
		}
		t.Run(scenario.ID+" on "+stage.Name, func(t *testing.T) {
			// Report the result even if the test stops early.
			defer func() { s.report(t, stage.Name, scenario.ID) }()
			play(t, stage, scenario)
		})
	}
}

func (s Set) report(t *testing.T, stage, id string) {
	outcome := "passed"
	if t.Failed() {
		outcome = "failed"
	}
	line, err := json.Marshal(map[string]string{"language": "go", "stage": stage, "id": id, "outcome": outcome})
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(s.Report, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := fmt.Fprintf(file, "%s\n", line); err != nil {
		t.Error(err)
	}
}
