// Package remotebrowser is the client of the Remote Browser Service. It opens Chromium browsers on a server, and
// you control them with any library for the Chrome DevTools Protocol.
//
//	client, err := remotebrowser.NewClient() // reads RBS_URL and RBS_TOKEN
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
// The module .../clients/go/remotechromedp connects chromedp to a browser.
//
// # Errors
//
// Failed calls return one of these errors, which you can match with errors.As:
//
//   - a type for each error in the contract, such as [*NoUnitsError] or [*BrowserLimitError]. Each type wraps an
//     [*APIError] with the HTTP status, the name, the message and the request id. If this version doesn't know the
//     name, the error is a plain [*APIError];
//   - [*ConnectionError]: the connection failed or was lost;
//   - [*TimeoutError]: the response was not complete in time;
//   - [*InvalidAnswerError]: a successful response doesn't match the contract, or a query's value doesn't match the
//     requested type.
//
// If you cancel the context, errors.Is(err, context.Canceled) is true instead.
//
// # Retries
//
// The client retries a call up to [WithRetries] times where retrying is safe: if the service sends an error with
// Retry-After, if the connection fails, and, for idempotent calls, if the connection is lost or an attempt times
// out. It never retries a query that may have been carried out. With contract version 1.0, the same applies to
// [Client.Open]. With contract version 1.1, the service opens only one browser for all requests of a call.
package remotebrowser
