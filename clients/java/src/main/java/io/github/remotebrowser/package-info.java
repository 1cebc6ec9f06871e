/**
 * The client. {@link io.github.remotebrowser.RemoteBrowserClient} opens browsers, and {@link
 * io.github.remotebrowser.RemoteBrowser} is an open browser. The contract's options, sessions and
 * errors are in {@link io.github.remotebrowser.contract}.
 */
package io.github.remotebrowser;
