/**
 * The client of the Remote Browser Service. {@link io.github.remotebrowser.RemoteBrowserClient}
 * opens browsers, and {@link io.github.remotebrowser.RemoteBrowser} is an open browser. The
 * contract's options, records and errors are in {@link io.github.remotebrowser.contract}.
 */
package io.github.remotebrowser;
