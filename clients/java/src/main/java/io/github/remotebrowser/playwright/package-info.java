/** For who drives the browsers with Playwright. */
package io.github.remotebrowser.playwright;
