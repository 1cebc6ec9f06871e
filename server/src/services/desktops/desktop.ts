import type { Socket } from "node:net";
import type { DesktopAccess } from "../../domain/browser/desktop.ts";
import type { CloseNotice } from "../../domain/browser/end.ts";
import type { BrowserClient, ViewerSession } from "../../ports/browser-client.ts";
import type { Screen } from "../../ports/display.ts";
import type { OpenBrowser } from "../browsers/open-browser.ts";

const STOPPED: CloseNotice = { code: 1000, reason: "desktop stopped" };

/** A started remote desktop and its viewers. */
export class Desktop {
  readonly access: DesktopAccess;
  readonly #end = Promise.withResolvers<void>();
  /** Resolves when the desktop has stopped, for any reason. */
  readonly ended = this.#end.promise;
  readonly #browser: OpenBrowser;
  readonly #screen: Screen;
  /** All connected viewers, authenticated or not. */
  readonly #connected = new Set<BrowserClient>();
  #viewers = 0;
  /** The notice for viewers that join after the desktop has stopped. */
  #notice: CloseNotice | undefined;

  constructor(browser: OpenBrowser, screen: Screen, access: DesktopAccess) {
    this.#browser = browser;
    this.#screen = screen;
    this.access = access;
    void browser.ended.then((notice) => this.end(notice));
  }

  /** The host of the desktop's URLs, which viewers may use. */
  get openedHost(): string {
    return new URL(this.access.url).host;
  }

  /** Authenticated viewers. */
  get viewers(): number {
    return this.#viewers;
  }

  connect(signal: AbortSignal): Promise<Socket> {
    return this.#screen.connect(signal);
  }

  /** Adds an unauthenticated viewer. Calls `viewer.end` when the desktop stops, or immediately if it has stopped. */
  admitViewer(viewer: BrowserClient): ViewerSession {
    if (this.#notice !== undefined) {
      viewer.end(this.#notice.code, this.#notice.reason);
      return { authenticated() {}, leave() {} };
    }
    this.#connected.add(viewer);
    let leaveBrowser: (() => void) | undefined;
    return {
      authenticated: () => {
        if (leaveBrowser !== undefined || !this.#connected.has(viewer)) return;
        this.#viewers += 1;
        leaveBrowser = this.#browser.join(viewer);
      },
      leave: () => {
        this.#connected.delete(viewer);
        if (leaveBrowser === undefined) return;
        this.#viewers -= 1;
        leaveBrowser();
        leaveBrowser = undefined;
      },
    };
  }

  /** Disconnects all viewers. Later calls have no effect. */
  end(notice: CloseNotice = STOPPED): void {
    if (this.#notice !== undefined) return;
    this.#notice = notice;
    for (const viewer of this.#connected) viewer.end(notice.code, notice.reason);
    this.#connected.clear();
    this.#end.resolve();
  }
}
