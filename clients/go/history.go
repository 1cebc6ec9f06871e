package remotebrowser

import (
	"context"
	"iter"

	"github.com/remote-browser/remote-browser-service/clients/go/internal/generated"
)

// History iterates over open browsers, the latest first, and then over ended browsers, the last ended first. If
// options is nil, it includes all browsers. The client requests pages while you iterate, and stops at the first
// error. With contract version 1.0, the error is a [*NotFoundError].
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
			page, err := call(ctx, c, opHistory, generated.GetBrowserHistory, request)
			if err != nil {
				yield(BrowserRecord{}, err)
				return
			}
			for index := range page.Browsers {
				record, err := toBrowserRecord(&page.Browsers[index])
				if err != nil {
					yield(BrowserRecord{}, c.invalid(opHistory, err))
					return
				}
				if !yield(record, nil) {
					return
				}
			}
			if page.Next == nil {
				return
			}
			request.Cursor = page.Next
		}
	}
}
