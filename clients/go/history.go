package remotebrowser

import (
	"context"
	"iter"

	"github.com/remote-browser/remote-browser-service/clients/go/internal/generated"
)

// History lists open and ended browsers: first the open ones, the last opened first; then the ended ones,
// the last ended first. If options is nil, it lists all of them. The client requests them in parts, as you
// iterate, and ends with the first error. It needs contract version 1.1; otherwise the error is a
// [*NotFoundError].
//
//	for record, err := range client.History(ctx, nil) {
//		if err != nil {
//			return err
//		}
//		fmt.Println(record.ID, record.State, record.Units)
//	}
func (c *Client) History(ctx context.Context, options *HistoryOptions) iter.Seq2[BrowserRecord, error] {
	if options == nil {
		options = &HistoryOptions{}
	}
	return func(yield func(BrowserRecord, error) bool) {
		request := options.toCore()
		for {
			part, err := call(ctx, c, opHistory, generated.GetBrowserHistory, request)
			if err != nil {
				yield(BrowserRecord{}, err)
				return
			}
			for index := range part.Browsers {
				record, err := toBrowserRecord(&part.Browsers[index])
				if err != nil {
					yield(BrowserRecord{}, c.invalid(opHistory, err))
					return
				}
				if !yield(record, nil) {
					return
				}
			}
			if part.Next == nil {
				return
			}
			request.Cursor = part.Next
		}
	}
}
