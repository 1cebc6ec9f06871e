import type { Context } from "hono";
import { deleteCookie, setCookie } from "hono/cookie";
import type { CookieOptions } from "hono/utils/cookie";
import { toPathPrefix } from "../../contract/path.ts";

/** Longer than any session: the server decides when a session ends. */
const MAX_AGE_S = 30 * 86_400;
/** Each value costs a query. Another site on this host that sets more of them locks the user out. */
const MAX_VALUES = 5;

/** The cookie with the session's secret. */
export type SessionCookie = {
  /**
   * All different values that the browser sends, up to five: another site on this host can set the same cookie for some paths,
   * or for all hosts of the domain.
   */
  read(c: Context): readonly string[];
  write(c: Context, secret: string): void;
  clear(c: Context): void;
};

/**
 * Scripts can't read the cookie, and browsers don't send it with forms and frames of other sites.
 * @param publicUrl With https, browsers send the cookie only over https, and other hosts can't set it.
 */
export function newSessionCookie(publicUrl: URL | undefined): SessionCookie {
  const isSecure = publicUrl?.protocol === "https:";
  const path = toPathPrefix(publicUrl).replaceAll(/[^\w.-]/g, "_");
  // RFC 6265bis section 4.1.3: browsers accept this prefix only with Secure, this path and no domain.
  const toName = (c: Context): string =>
    isSecure ? `__Host-rbs_session_${publicUrl.port || "443"}${path}` : `rbs_session_${toPort(c)}${path}`;
  const options: CookieOptions = { path: "/", httpOnly: true, sameSite: "Lax", secure: isSecure };
  return {
    read: (c) => readAll(c, toName(c)),
    write: (c, secret) => setCookie(c, toName(c), secret, { ...options, maxAge: MAX_AGE_S }),
    clear: (c) => void deleteCookie(c, toName(c), options),
  };
}

function readAll(c: Context, name: string): string[] {
  const cookies = (c.req.header("Cookie") ?? "").split(";").map((cookie) => cookie.trim());
  const values = cookies
    .filter((cookie) => cookie.startsWith(`${name}=`))
    .map((cookie) => cookie.slice(name.length + 1));
  // Browsers send cookies with longer paths first. Ours has the shortest path, so it is among the last.
  return [...new Set(values.filter((value) => /^[\w-]+$/.test(value)))].slice(-MAX_VALUES);
}

/** Cookies ignore ports. With the port in its name, two servers on one machine don't overwrite each other's cookie. */
function toPort(c: Context): string {
  return new URL(c.req.url).port || "80";
}
