/**
 * The client: {@link io.github.remotebrowser.RemoteBrowserClient} opens browsers, {@link
 * io.github.remotebrowser.RemoteBrowser} is one of them. What the contract says about options,
 * sessions and errors is in {@link io.github.remotebrowser.contract}.
 */
package io.github.remotebrowser;
