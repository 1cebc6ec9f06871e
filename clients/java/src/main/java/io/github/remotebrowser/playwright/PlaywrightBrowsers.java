package io.github.remotebrowser.playwright;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.PlaywrightException;
import io.github.remotebrowser.ConnectionError;
import io.github.remotebrowser.RemoteBrowser;
import java.util.Map;

/**
 * Connects Playwright to remote browsers. Requires the artifact {@code
 * com.microsoft.playwright:playwright}.
 */
public final class PlaywrightBrowsers {
  private PlaywrightBrowsers() {}

  /** Creates a Playwright instance that doesn't download browsers. */
  public static Playwright create() {
    return Playwright.create(
        new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
  }

  /**
   * Connects to a browser. Closing the result only disconnects. The browser stays open until you
   * call {@link RemoteBrowser#close()}, or until its inactivity period ends.
   *
   * @throws ConnectionError if the browser has ended or can't be reached
   */
  public static Browser connect(RemoteBrowser browser, Playwright playwright) {
    try {
      return playwright.chromium().connectOverCDP(browser.address());
    } catch (PlaywrightException failure) {
      throw ConnectionError.toBrowser(browser, failure);
    }
  }
}
