import type { Context } from "hono";
import { isLocalRequest } from "../../api/local-request.ts";
import { isLoopback, isOwnOrigin } from "../../domain/network/known-host.ts";
import { PageRefusal } from "./page-refusal.ts";

/** By which address people may come to the pages. */
export type AddressGuard = {
  /**
   * Whether the pages may be shown under the address that the request came to. Passwords in clear travel no further than
   * this machine, unless the operator's public URL says so; and a page whose name was made to lead here is none of ours.
   * @throws {PageRefusal} 403.
   */
  checkHost(c: Context): void;
  /** Whether a form was sent by a page of ours. @throws {PageRefusal} 403. */
  checkOrigin(c: Context): void;
};

/**
 * @param publicUrl `RBS_PUBLIC_URL`.
 * @param isInClear Whether it is known that somebody asked by plain http.
 */
export function newAddressGuard(publicUrl: URL | undefined, isInClear: (c: Context) => boolean): AddressGuard {
  return {
    checkHost(c) {
      const { hostname } = new URL(c.req.url);
      const isKnown =
        publicUrl === undefined ? isLocalRequest(c.req) : isLoopback(hostname) || hostname === publicUrl.hostname;
      // A form that is shown in clear is filled in, and sent, in clear.
      if (publicUrl?.protocol === "https:" && isInClear(c))
        throw new PageRefusal(403, "Not in clear", onlyByHttps(publicUrl));
      if (isKnown) return;
      throw new PageRefusal(403, "Not under this address", publicUrl === undefined ? ONLY_HERE : onlyAt(publicUrl));
    },

    checkOrigin(c) {
      const { host, hostname } = new URL(c.req.url);
      const origin = c.req.header("Origin");
      const isOurs =
        origin === undefined
          ? c.req.header("Sec-Fetch-Site") === "same-origin"
          : origin === publicUrl?.origin || (isLoopback(hostname) && isOwnOrigin(origin, host));
      if (!isOurs) throw new PageRefusal(403, "Not from this page", notFrom(origin));
    },
  };
}

const ONLY_HERE =
  "These pages take passwords, and without RBS_PUBLIC_URL they are for this machine only, as http://localhost: the operator " +
  "sets RBS_PUBLIC_URL to the address that people reach this server by.";

function onlyAt(publicUrl: URL): string {
  return `These pages are at ${publicUrl.href}. A proxy in front of the server has to pass that host on.`;
}

function onlyByHttps(publicUrl: URL): string {
  return (
    `These pages take passwords, and are at ${publicUrl.href}: open them there. If this is that address, the proxy in front ` +
    "of the server says otherwise: it has to send X-Forwarded-Proto: https for what came by https."
  );
}

function notFrom(origin: string | undefined): string {
  const from =
    origin === undefined
      ? "without saying from which page"
      : `from ${origin === "null" ? "a page without an origin" : origin}`;
  return `This form was sent ${from}, and nothing was done: open the page here and send it again.`;
}
