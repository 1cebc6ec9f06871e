import type { Context } from "hono";
import { MAX_BODY_MS, withBodyTimeout } from "../../api/body.ts";
import type { Clock } from "../../ports/clock.ts";
import { PageRefusal } from "./page-refusal.ts";

/** As much as an Open of the contract takes. */
const MAX_BYTES = 65_536;

/** The fields of a form that was sent. */
export type Form = {
  /** The last value of that name; empty when there is none. */
  text(name: string): string;
  isOn(name: string): boolean;
};

/** @throws {PageRefusal} When the body is no form, too large, or not there in time. */
export async function readForm(c: Context, clock: Pick<Clock, "after">): Promise<Form> {
  const type = c.req.header("Content-Type") ?? "";
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type)) {
    throw new PageRefusal(415, "Not a form", "This takes what the form on the page sends, and nothing else.");
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
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) {
      throw new PageRefusal(413, "Too much text", `A form takes ${MAX_BYTES} bytes at most: shorten what you entered.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

// Not 408: browsers send a form again by themselves that is answered so.
function tooSlow(): PageRefusal {
  const message = `The form did not arrive within ${MAX_BODY_MS / 1000} s, and nothing was done: send it again.`;
  return new PageRefusal(400, "Too slow", message);
}
