// Package remotebrowser is a client of the Remote Browser Service: it opens real Chromium browsers
// over HTTP, which any library that speaks the Chrome DevTools Protocol can drive.
//
//	client, err := remotebrowser.NewClient() // uses RBS_URL and RBS_TOKEN
//	if err != nil {
//		return err
//	}
//	browser, err := client.Open(ctx, &remotebrowser.OpenOptions{
//		Headless: remotebrowser.Ptr(true),
//		KeepOpen: remotebrowser.Ptr(5 * time.Minute),
//	})
//	if err != nil {
//		return err
//	}
//	defer browser.Close(ctx)
//	// Connect a DevTools library to browser.Address().
//
// The module .../clients/go/remotechromedp connects chromedp to such a browser.
//
// # Errors
//
// A call fails with one of these errors, which you find with errors.As:
//
//   - a type for each error in the service's contract, such as [*NoUnitsError] or [*BrowserLimitError].
//     Each wraps an [*APIError], which has the HTTP status, the name, the message and the request id. An
//     error that this version doesn't know is a plain [*APIError];
//   - [*ConnectionError]: the connection failed or was lost;
//   - [*TimeoutError]: the response was not complete in time;
//   - [*InvalidAnswerError]: a successful response doesn't match the contract, or a query's value the given
//     type.
//
// If you cancel the context, errors.Is(err, context.Canceled) is true instead.
//
// # Retries
//
// A call retries its request up to [WithRetries] times where that is safe: when the service sent an error
// with Retry-After, when the connection failed, and, for idempotent calls, when the connection was lost or
// the response took too long. A request that may have queried the language model is never retried. Neither
// is one that may have opened a browser, unless the service has contract version 1.1: it opens one browser
// for all requests of a call.
package remotebrowser
