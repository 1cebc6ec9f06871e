package stage

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"slices"
	"testing"
)

// Fault is a base URL under which the service fails in a certain way.
type Fault struct{ URL string }

// Request is one that came in under a fault's URL. Its status is nil when it got no answer.
type Request struct {
	Operation string `json:"operation"`
	Status    *int   `json:"status"`
}

// With gives a fresh base URL under which a fault happens.
func (s Stage) With(fault string) Fault {
	nonce := make([]byte, 8)
	// It never fails, and panics where it would.
	_, _ = rand.Read(nonce)
	return Fault{URL: s.URL + "/~" + fault + "~" + hex.EncodeToString(nonce)}
}

// Log tells what came in under a fault's URL, in order.
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

// ExpectLog fails unless exactly these operations came in, in this order.
func (f Fault) ExpectLog(t *testing.T, operations ...string) {
	t.Helper()
	var came []string
	for _, request := range f.Log(t) {
		came = append(came, request.Operation)
	}
	if !slices.Equal(came, operations) {
		t.Fatalf("came in: %v, expected: %v", came, operations)
	}
}
