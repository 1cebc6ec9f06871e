import { orAborted } from "../../concurrency/abortable.ts";
import type { Semaphore } from "../../concurrency/semaphore.ts";
import { Failure, unavailable } from "../../domain/failure.ts";
import type { Picture } from "../../ports/display.ts";
import type { Log } from "../../ports/log.ts";
import type { OpenBrowser } from "../browsers/open-browser.ts";

type ScreenshotsNeeds = { readonly permits: Semaphore; readonly log: Log };

/** A capture that is running or waiting for its permit. */
type Capture = {
  readonly picture: Promise<Picture>;
  /** Aborted when no callers remain or the browser has ended. */
  readonly over: AbortController;
  callers: number;
};

/** Takes screenshots of open browsers. Screenshots don't count as activity, and pages and clients don't notice them. */
export class Screenshots {
  readonly #needs: ScreenshotsNeeds;
  readonly #captures = new Map<OpenBrowser, Capture>();

  constructor(needs: ScreenshotsNeeds) {
    this.#needs = needs;
  }

  /** The number of running and waiting captures. */
  get held(): number {
    return this.#captures.size;
  }

  /**
   * Captures what a browser shows. Concurrent callers share the picture.
   * @param signal Ends this caller's wait. Once no caller is waiting, the capture ends.
   * @throws {Failure} `BrowserUnavailable` if the capture fails. @throws {unknown} `signal.reason`.
   */
  async take(browser: OpenBrowser, signal: AbortSignal): Promise<Picture> {
    signal.throwIfAborted();
    const capture = this.#captures.get(browser) ?? this.#start(browser);
    capture.callers += 1;
    try {
      return await orAborted(capture.picture, signal);
    } finally {
      capture.callers -= 1;
      if (capture.callers === 0) this.#end(browser, capture);
    }
  }

  #start(browser: OpenBrowser): Capture {
    const over = new AbortController();
    const cancel = browser.onEnd(() => over.abort(new Error("The browser has ended.")));
    const capture = { picture: this.#capture(browser, over.signal).finally(cancel), over, callers: 0 };
    this.#captures.set(browser, capture);
    return capture;
  }

  #end(browser: OpenBrowser, capture: Capture): void {
    capture.over.abort(new Error("All callers have left."));
    // After the last caller left, a new capture may have replaced this one.
    if (this.#captures.get(browser) === capture) this.#captures.delete(browser);
  }

  async #capture(browser: OpenBrowser, signal: AbortSignal): Promise<Picture> {
    try {
      using _permit = await this.#needs.permits.acquire(signal, browser.accountId);
      return await browser.takeScreenshot(signal);
    } catch (cause) {
      if (signal.aborted || cause instanceof Failure) throw cause;
      this.#needs.log.warn("picture.failed", { id: browser.id, error: cause });
      throw unavailable("The browser did not send a picture.", { cause });
    }
  }
}
