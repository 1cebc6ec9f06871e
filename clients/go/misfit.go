package remotebrowser

import (
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
)

// invalid returns the error for an invalid success.
func (c *Client) invalid(op operation, err error) error {
	return &InvalidAnswerError{Operation: op.name, cause: errors.New(c.show(err.Error()))}
}

// readAnswer reads the body of a success. Its errors don't quote the body.
func readAnswer[Answer any](mediaTypes string, header http.Header, body []byte) (*Answer, error) {
	var answer *Answer
	mediaType, _, err := mime.ParseMediaType(header.Get("Content-Type"))
	switch {
	case len(body) == 0:
		return nil, errors.New("it is empty")
	case err != nil || !slices.Contains(strings.Split(mediaTypes, ", "), mediaType):
		return nil, errors.New("it is not " + strings.ReplaceAll(mediaTypes, jsonType, "JSON"))
	}
	if file, ok := any(&body).(*Answer); ok {
		return file, nil
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return nil, nameMisfit(err)
	}
	if answer == nil {
		return nil, errors.New("it is empty")
	}
	return answer, nil
}

// nameMisfit names the member that doesn't match, without quoting its value.
func nameMisfit(err error) error {
	var kind *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	var moment *time.ParseError
	switch {
	case errors.As(err, &kind) && kind.Field != "":
		return fmt.Errorf("its %s has the wrong type", kind.Field)
	case errors.As(err, &kind):
		return errors.New("it has the wrong type")
	case errors.As(err, &syntax):
		return errors.New("it is not JSON")
	case errors.As(err, &moment):
		return errors.New("one of its times is invalid")
	default:
		return err // the core's error for a missing member
	}
}

// locateMisfit returns the path at which a value doesn't match a schema.
func locateMisfit(schema *jsonschema.Schema, value any) string {
	switch value := value.(type) {
	case map[string]any:
		for name, member := range schema.Properties {
			if given, ok := value[name]; ok && !fitsSchema(member, given) {
				return "/" + name + locateMisfit(member, given)
			}
		}
		for _, name := range schema.Required {
			if _, ok := value[name]; !ok {
				return "/" + name
			}
		}
	case []any:
		for index, item := range value {
			if schema.Items != nil && !fitsSchema(schema.Items, item) {
				return fmt.Sprintf("/%d%s", index, locateMisfit(schema.Items, item))
			}
		}
	}
	return ""
}

func fitsSchema(schema *jsonschema.Schema, value any) bool {
	resolved, err := schema.Resolve(nil)
	return err == nil && resolved.Validate(value) == nil
}
