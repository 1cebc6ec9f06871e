import type { Context } from "hono";
import { isLocalRequest } from "../../api/local-request.ts";
import { isLoopback, isOwnOrigin } from "../../domain/network/known-host.ts";
import { PageError } from "./errors.ts";

/** Restricts the hosts and origins from which the pages can be used. */
export type AddressGuard = {
  /**
   * Checks the request's host and scheme. Without a public URL, the pages work only on this machine, because passwords
   * would be sent unencrypted, and other host names could resolve to this server (DNS rebinding).
   * @throws {PageError} 403.
   */
  checkHost(c: Context): void;
  /** Checks that one of this server's pages submitted the form. @throws {PageError} 403. */
  checkOrigin(c: Context): void;
};

/**
 * @param publicUrl `RBS_PUBLIC_URL`.
 * @param isInClear Whether the client is known to use unencrypted HTTP.
 */
export function newAddressGuard(publicUrl: URL | undefined, isInClear: (c: Context) => boolean): AddressGuard {
  return {
    checkHost(c) {
      const { hostname } = new URL(c.req.url);
      const isKnown =
        publicUrl === undefined ? isLocalRequest(c) : isLoopback(hostname) || hostname === publicUrl.hostname;
      // A form on an unencrypted page would be submitted unencrypted.
      if (publicUrl?.protocol === "https:" && isInClear(c))
        throw new PageError(403, "HTTPS required", onlyByHttps(publicUrl));
      if (isKnown) return;
      throw new PageError(
        403,
        "Not available at this address",
        publicUrl === undefined ? ONLY_HERE : onlyAt(publicUrl),
      );
    },

    checkOrigin(c) {
      const { host, hostname } = new URL(c.req.url);
      const origin = c.req.header("Origin");
      const isOurs =
        origin === undefined
          ? c.req.header("Sec-Fetch-Site") === "same-origin"
          : origin === publicUrl?.origin || (isLoopback(hostname) && isOwnOrigin(origin, host));
      if (!isOurs) throw new PageError(403, "Form submitted from another page", notFrom(origin));
    },
  };
}

const ONLY_HERE =
  "These pages ask for passwords. Without RBS_PUBLIC_URL, they are available only on the server's own machine, at " +
  "http://localhost. To make them available to other machines, set RBS_PUBLIC_URL to the address of this server.";

function onlyAt(publicUrl: URL): string {
  return `Open these pages at ${publicUrl.href}. If you use a reverse proxy, it must pass on this host in the Host header.`;
}

function onlyByHttps(publicUrl: URL): string {
  return (
    `These pages ask for passwords. Open them at ${publicUrl.href}. If you already use this address, the reverse proxy is ` +
    "not set up correctly: it must send X-Forwarded-Proto: https for HTTPS requests."
  );
}

function notFrom(origin: string | undefined): string {
  const from =
    origin === undefined ? "without an origin" : `from ${origin === "null" ? "a page without an origin" : origin}`;
  return `This form was submitted ${from}, so nothing was changed. Open the page on this server and submit the form again.`;
}
