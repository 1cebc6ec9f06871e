module github.com/remote-browser/remote-browser-service/clients/go

go 1.23.0

require github.com/google/jsonschema-go v0.4.3
