import { hash, timingSafeEqual } from "node:crypto";

/** Name of the hidden field in every signed-in user's form. */
export const TOKEN_FIELD = "form-token";

/** Derives a session's CSRF token. Other sites can't read the token, and it doesn't reveal the session's secret. */
export function toFormToken(sessionSecret: string): string {
  return hash("sha256", `form:${sessionSecret}`, "base64url");
}

export function isFormToken(sent: string | undefined, sessionSecret: string): boolean {
  const [actual, expected] = [sent ?? "", toFormToken(sessionSecret)].map((text) => Buffer.from(hash("sha256", text)));
  return actual !== undefined && expected !== undefined && timingSafeEqual(actual, expected);
}
