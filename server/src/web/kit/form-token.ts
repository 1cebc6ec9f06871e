import { hash, timingSafeEqual } from "node:crypto";

/** The name of the field that each form of a signed-in person carries. */
export const TOKEN_FIELD = "form-token";

/** What the forms of a session carry: other sites can't read it, and so can't send it. It tells nothing of the secret. */
export function toFormToken(sessionSecret: string): string {
  return hash("sha256", `form:${sessionSecret}`, "base64url");
}

export function isFormToken(sent: string | undefined, sessionSecret: string): boolean {
  const [given, wanted] = [sent ?? "", toFormToken(sessionSecret)].map((text) => Buffer.from(hash("sha256", text)));
  return given !== undefined && wanted !== undefined && timingSafeEqual(given, wanted);
}
