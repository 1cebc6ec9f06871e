import { hash, timingSafeEqual } from "node:crypto";

/** The name of the hidden field in every form of a signed-in user. */
export const TOKEN_FIELD = "form-token";

/** The CSRF token of a session. Other sites can't read it, so they can't send it. It doesn't reveal the secret. */
export function toFormToken(sessionSecret: string): string {
  return hash("sha256", `form:${sessionSecret}`, "base64url");
}

export function isFormToken(sent: string | undefined, sessionSecret: string): boolean {
  const [actual, expected] = [sent ?? "", toFormToken(sessionSecret)].map((text) => Buffer.from(hash("sha256", text)));
  return actual !== undefined && expected !== undefined && timingSafeEqual(actual, expected);
}
