package stage

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"slices"
	"testing"
)

// Fault is a base URL at which the proxy injects a fault.
type Fault struct{ URL string }

// Request is a request to a fault's URL. Its status is nil if no response was sent.
type Request struct {
	Operation string `json:"operation"`
	Status    *int   `json:"status"`
}

// With returns a new base URL with a fault.
func (s Stage) With(fault string) Fault {
	nonce := make([]byte, 8)
	// rand.Read never returns an error.
	_, _ = rand.Read(nonce)
	return Fault{URL: s.URL + "/~" + fault + "~" + hex.EncodeToString(nonce)}
}

// Log returns the requests to a fault's URL, in order.
func (f Fault) Log(t *testing.T) []Request {
	t.Helper()
	answer, err := http.Get(f.URL + "/log")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var log struct {
		Requests []Request `json:"requests"`
	}
	if err := json.NewDecoder(answer.Body).Decode(&log); err != nil {
		t.Fatal(err)
	}
	return log.Requests
}

// ExpectLog fails the test unless exactly these operations were requested, in this order.
func (f Fault) ExpectLog(t *testing.T, operations ...string) {
	t.Helper()
	var came []string
	for _, request := range f.Log(t) {
		came = append(came, request.Operation)
	}
	if !slices.Equal(came, operations) {
		t.Fatalf("got %v, expected %v", came, operations)
	}
}
