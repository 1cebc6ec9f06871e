import { DESKTOP_PATH } from "../../domain/browser/desktop.ts";
import type { ServiceApp } from "../../api/app.ts";
import type { PageWithAssets } from "../../ports/assets.ts";
import { mountAssets } from "../kit/assets.ts";

type DesktopPageOptions = {
  /** Contains only relative URLs, so it works below any path. */
  readonly page: PageWithAssets;
  /** Whether the key belongs to a running desktop. */
  readonly isStarted: (key: string) => boolean | Promise<boolean>;
  /** `RBS_ORIGINS`: origins whose pages may embed a desktop. */
  readonly origins: ReadonlySet<string>;
};

/** Mounts the page that shows a remote desktop. The page needs no token: a password protects the screen. */
export function mountDesktopPage(app: ServiceApp, { page, isStarted, origins }: DesktopPageOptions): void {
  const policy = toPolicy(origins);
  const unknown = page.html.replace('data-state="connecting"', 'data-state="unknown"');
  mountAssets(app, `${DESKTOP_PATH}assets/`, page);

  app.get(`${DESKTOP_PATH}:key`, async (c) => {
    const isThere = await isStarted(c.req.param("key"));
    return c.html(isThere ? page.html : unknown, isThere ? 200 : 404, {
      "Content-Security-Policy": policy,
      // The link gives access to the desktop, so it must not leak to other sites.
      "Referrer-Policy": "no-referrer",
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
    // noVNC renders the pointer and parts of the screen from data and blob URLs.
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${["'self'", ...origins].join(" ")}`,
  ].join("; ");
}
