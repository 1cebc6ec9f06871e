/**
 * What browsers are told about every page with forms on it: load nothing but our files, run nothing that stands in the page, be shown
 * in no frame, and be kept nowhere.
 * @param formTargets Other origins that a form may lead on to: remote desktops stand below the public URL.
 */
export function toPageHeaders(formTargets: readonly string[]): Readonly<Record<string, string>> {
  return {
    "Content-Security-Policy": [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self'",
      "connect-src 'self'",
      `form-action ${["'self'", ...formTargets].join(" ")}`,
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join("; "),
    // Not "no-referrer": browsers would then send forms without their origin.
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cache-Control": "no-store",
  };
}
