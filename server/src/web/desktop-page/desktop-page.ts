import { DESKTOP_PATH } from "../../domain/browser/desktop.ts";
import { type Assets, mountAssets } from "../kit/assets.ts";
import type { ServiceApp } from "../../api/app.ts";

/** What the page consists of. It loads everything by relative URLs, so that it works below any path. */
export type DesktopPage = Assets & { readonly html: string };

export type DesktopPageOptions = {
  readonly page: DesktopPage;
  /** Whether a desktop that is started has this key. */
  readonly isStarted: (key: string) => boolean;
  /** `RBS_ORIGINS`: pages that may show a desktop inside their own. */
  readonly origins: ReadonlySet<string>;
};

/** The page that shows a remote desktop, and what it loads. It needs no token: what is on the screen, the password guards. */
export function mountDesktopPage(app: ServiceApp, { page, isStarted, origins }: DesktopPageOptions): void {
  const policy = toPolicy(origins);
  const unknown = page.html.replace('data-state="connecting"', 'data-state="unknown"');
  mountAssets(app, `${DESKTOP_PATH}assets/`, page);

  app.get(`${DESKTOP_PATH}:key`, (c) => {
    const isThere = isStarted(c.req.param("key"));
    return c.html(isThere ? page.html : unknown, isThere ? 200 : 404, {
      "Content-Security-Policy": policy,
      // The link is the way in, and stays with who has it.
      "Referrer-Policy": "no-referrer",
      "X-Content-Type-Options": "nosniff",
      "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
      "Cache-Control": "no-store",
    });
  });
}

function toPolicy(origins: ReadonlySet<string>): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // The pointer and some of the screen's pieces come to be as pictures in URLs.
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${["'self'", ...origins].join(" ")}`,
  ].join("; ");
}
