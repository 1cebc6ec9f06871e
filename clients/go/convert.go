package remotebrowser

import (
	"encoding/base64"
	"fmt"
	"math"
	"time"
)

// toPointer converts an optional number of the core's type.
func toPointer[To, From ~int | ~int32](value *From) *To {
	if value == nil {
		return nil
	}
	converted := To(*value)
	return &converted
}

// orZero returns the value that a pointer points to, or the zero value if the pointer is nil.
func orZero[T any](value *T) T {
	if value == nil {
		return *new(T)
	}
	return *value
}

// toInt32 converts a number for the core. Out-of-range numbers become the nearest int32, which the service also
// refuses.
func toInt32(value int) int32 {
	return int32(max(math.MinInt32, min(value, math.MaxInt32)))
}

// toBytes decodes a member of a response. The error doesn't quote the member.
func toBytes(member, text string) ([]byte, error) {
	decoded, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(decoded) == 0 {
		return nil, fmt.Errorf("its %s is empty, or not Base64", member)
	}
	return decoded, nil
}

// toDuration converts optional seconds. The result is at most about 292 years.
func toDuration(seconds *float64) *time.Duration {
	if seconds == nil {
		return nil
	}
	const longest = time.Duration(1<<63 - 1)
	if *seconds >= longest.Seconds() {
		return Ptr(longest)
	}
	return Ptr(time.Duration(*seconds * float64(time.Second)))
}
