/** Support for Playwright. */
package io.github.remotebrowser.playwright;
