import type { Context } from "hono";
import { MAX_BODY_MS, withBodyTimeout } from "../../api/body.ts";
import type { Clock } from "../../ports/clock.ts";
import { PageError } from "./errors.ts";

/** The same limit as for Open requests in the API. */
const MAX_BYTES = 65_536;

/** The fields of a submitted form. */
export type Form = {
  /** Returns the field's last value; empty if the field is missing. */
  text(name: string): string;
  isOn(name: string): boolean;
};

/** @throws {PageError} If the body is not a form, is too large or arrives too slowly. */
export async function readForm(c: Context, clock: Pick<Clock, "after">): Promise<Form> {
  const type = c.req.header("Content-Type") ?? "";
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type)) {
    throw new PageError(415, "Not a form", "This address accepts only form data (application/x-www-form-urlencoded).");
  }
  const fields = new URLSearchParams(await withBodyTimeout(readText(c.req.raw), clock, tooSlow));
  return {
    text: (name) => fields.getAll(name).at(-1) ?? "",
    isOn: (name) => fields.has(name),
  };
}

async function readText({ body }: Request): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body?.values({ preventCancel: true }) ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) {
      throw new PageError(413, "Too much text", `A form can have up to ${MAX_BYTES} bytes. Shorten your input.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

// Not 408, because browsers automatically resend a form after a 408 response.
function tooSlow(): PageError {
  const message = `The form did not arrive within ${MAX_BODY_MS / 1000} s, so nothing was changed. Submit it again.`;
  return new PageError(400, "Request timed out", message);
}
