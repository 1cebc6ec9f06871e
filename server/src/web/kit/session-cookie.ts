import type { Context } from "hono";
import { deleteCookie, setCookie } from "hono/cookie";
import type { CookieOptions } from "hono/utils/cookie";
import { toPathPrefix } from "../../contract/path.ts";

/** Longer than any session: when one ends, the server decides. */
const MAX_AGE_S = 30 * 86_400;
/** Whoever plants more on a neighbour of ours locks people out; each costs a look into the books. */
const MAX_VALUES = 5;

/** The secret of a session, in the browser that signed in. */
export type SessionCookie = {
  /**
   * Each different one that the browser sends, five at most: a neighbour on this host may have set another for a part of the
   * paths, or for all hosts of a domain.
   */
  read(c: Context): readonly string[];
  write(c: Context, secret: string): void;
  clear(c: Context): void;
};

/**
 * Readable by no script, and sent by no other site's forms or frames.
 * @param publicUrl By https, the cookie never travels in clear, and no neighbouring host can set it.
 */
export function sessionCookie(publicUrl: URL | undefined): SessionCookie {
  const isSecure = publicUrl?.protocol === "https:";
  const path = toPathPrefix(publicUrl).replaceAll(/[^\w.-]/g, "_");
  // RFC 6265bis section 4.1.3: with this prefix, browsers take it only with Secure, this path and no domain.
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
  // Browsers send those of longer paths first; ours has the shortest there is, and so is among the last.
  return [...new Set(values.filter((value) => /^[\w-]+$/.test(value)))].slice(-MAX_VALUES);
}

/** Cookies know no ports, and two servers on one machine would take each other's away. */
function toPort(c: Context): string {
  return new URL(c.req.url).port || "80";
}
