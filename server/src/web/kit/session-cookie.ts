import type { Context } from "hono";
import { deleteCookie, setCookie } from "hono/cookie";
import type { CookieOptions } from "hono/utils/cookie";
import { toPathPrefix } from "../../contract/path.ts";

const DAY_S = 86_400;
/** Longer than any session, because the server decides when a session ends. */
const SESSION_S = 30 * DAY_S;
/** The maximum time that web browsers keep a cookie. */
const KNOWN_S = 400 * DAY_S;
/** Maximum number of values to look up. Another site on this host can lock users out by setting more values. */
const MAX_VALUES = 5;

/** A cookie that the pages use. */
export type PageCookie = {
  /**
   * Returns up to five distinct values, because another site on this host can set the same cookie for some paths, or
   * for the whole domain.
   */
  read(c: Context): readonly string[];
  write(c: Context, value: string): void;
  clear(c: Context): void;
};

/** Creates the cookie that stores the session's secret. */
export function newSessionCookie(publicUrl: URL | undefined): PageCookie {
  return newCookie("rbs_session", SESSION_S, publicUrl);
}

/** Creates the cookie that marks web browsers in which a user has signed in before. */
export function newKnownCookie(publicUrl: URL | undefined): PageCookie {
  return newCookie("rbs_known", KNOWN_S, publicUrl);
}

/**
 * Creates a cookie that scripts can't read, and that web browsers don't send with other sites' forms and frames.
 * @param publicUrl With HTTPS, web browsers send the cookie only over HTTPS, and other hosts can't set it.
 */
function newCookie(base: string, maxAge: number, publicUrl: URL | undefined): PageCookie {
  const isSecure = publicUrl?.protocol === "https:";
  const path = toPathPrefix(publicUrl).replaceAll(/[^\w.-]/g, "_");
  // RFC 6265bis section 4.1.3: browsers accept this prefix only with Secure, this path and no domain.
  const toName = (c: Context): string =>
    isSecure ? `__Host-${base}_${publicUrl.port || "443"}${path}` : `${base}_${toPort(c)}${path}`;
  const options: CookieOptions = { path: "/", httpOnly: true, sameSite: "Lax", secure: isSecure };
  return {
    read: (c) => readAll(c, toName(c)),
    write: (c, value) => setCookie(c, toName(c), value, { ...options, maxAge }),
    clear: (c) => void deleteCookie(c, toName(c), options),
  };
}

function readAll(c: Context, name: string): string[] {
  const cookies = (c.req.header("Cookie") ?? "").split(";").map((cookie) => cookie.trim());
  const values = cookies
    .filter((cookie) => cookie.startsWith(`${name}=`))
    .map((cookie) => cookie.slice(name.length + 1));
  // Browsers send cookies with longer paths first. The server's cookie has the shortest path, so it is near the end.
  return [...new Set(values.filter((value) => /^[\w-]+$/.test(value)))].slice(-MAX_VALUES);
}

/** Cookies ignore ports. The port in the name keeps two servers on a machine from overwriting each other's cookies. */
function toPort(c: Context): string {
  return new URL(c.req.url).port || "80";
}
