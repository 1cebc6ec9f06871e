// Package remotebrowser is a client of the Remote Browser Service: it opens real Chromium browsers
// over HTTP, which any library that speaks the Chrome DevTools Protocol can drive.
//
//	client, err := remotebrowser.NewClient() // RBS_URL and RBS_TOKEN say where, and who asks
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
//	// browser.Address() is what a DevTools library connects to.
//
// The module .../clients/go/remotechromedp connects chromedp to such a browser.
//
// # Errors
//
// A call fails with one of these, which errors.As finds:
//
//   - a type per error of the service's contract, such as [*NoUnitsError] or [*BrowserLimitError].
//     Each wraps an [*APIError], which holds the HTTP status, the name, the message and the request
//     id. An error that this version does not know is a plain [*APIError];
//   - [*ConnectionError]: the service could not be reached, or the connection was lost;
//   - [*TimeoutError]: there was no complete answer in time;
//   - [*InvalidAnswerError]: the answer is not what the contract, or the wanted type, says.
//
// When the caller's context is cancelled, errors.Is(err, context.Canceled) holds instead.
//
// # Repeats
//
// A call repeats a request, at most [WithRetries] times, where that can do no harm: when the service
// refused and said when to come back, when no connection could be made, and, for calls that change
// nothing more the second time, when the connection was lost or the answer took too long. A request
// that may have opened a browser or asked the language model is never sent again.
package remotebrowser
