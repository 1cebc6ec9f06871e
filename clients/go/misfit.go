package remotebrowser

import (
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
)

// invalid says what is wrong with a success, in few words.
func (c *Client) invalid(op operation, err error) error {
	return &InvalidAnswerError{Operation: op.name, cause: errors.New(c.show(err.Error()))}
}

// isJSON tells what the core does not check: it reads XML too, and a page of a gateway's for an answer.
func isJSON(header http.Header) bool {
	mediaType, _, err := mime.ParseMediaType(header.Get("Content-Type"))
	return err == nil && mediaType == "application/json"
}

// findMisfit says why a success is no T. The core says it too, but repeats what was answered.
func findMisfit[T any](header http.Header, body []byte) error {
	if !isJSON(header) {
		return errors.New("it is not JSON")
	}
	return nameMisfit(json.Unmarshal(body, new(T)))
}

// nameMisfit names the member that does not fit, and not its value.
func nameMisfit(err error) error {
	var kind *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	var moment *time.ParseError
	switch {
	case err == nil:
		return errors.New("it is not what the contract says")
	case errors.As(err, &kind) && kind.Field != "":
		return fmt.Errorf("its %s is of another type", kind.Field)
	case errors.As(err, &kind):
		return errors.New("it is of another type")
	case errors.As(err, &syntax):
		return errors.New("it is not JSON")
	case errors.As(err, &moment):
		return errors.New("one of its times is not written as one")
	default:
		return err // the core's, about a member that is missing
	}
}

// locateMisfit tells where a value does not fit a schema, by the names that the schema has.
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
