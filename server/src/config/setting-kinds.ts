import { z } from "zod";

/** Returns a schema for numbers in a range, with one message for all mistakes. */
export function numberFrom(min: number, max: number, kind: "a whole number" | "a number" = "a whole number") {
  const error = `must be ${kind} from ${min} to ${max}`;
  const number = z.coerce.number(error).min(min, error).max(max, error);
  return kind === "a number" ? number : number.int(error);
}

/** A URL that the server appends paths to. */
export const baseUrl = z
  .string()
  .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ""), "must be an http:// or https:// URL")
  .transform((text) => new URL(text))
  .refine(
    (url) => !/[?#]/.test(url.href) && url.username === "" && url.password === "",
    "must not contain a query string, fragment, user name or password",
  );

/** A base URL for page links. No `//`: it would link to another site. No escapes: request paths are decoded. */
export const siteUrl = baseUrl.refine(
  ({ pathname }) => !/\/\/|%/.test(pathname),
  "must have a path without // or percent-encoded characters",
);

/**
 * Returns a schema for comma-separated entries.
 * @param read Returns undefined for an invalid entry.
 * @param one An entry with its article, such as `an address`, for the message about an empty list.
 * @param mistake The message about an invalid entry.
 */
export function listOf<Entry>(read: (text: string) => Entry | undefined, one: string, mistake: string) {
  return z.string().transform((value, context): readonly Entry[] => {
    const named = value
      .split(",")
      .map((part) => part.trim())
      .filter((text) => text !== "");
    if (named.length === 0) context.addIssue(`must contain ${one}`);
    return named.flatMap((text) => {
      const entry = read(text);
      if (entry !== undefined) return [entry];
      context.addIssue({ code: "custom", path: [JSON.stringify(text)], message: mistake });
      return [];
    });
  });
}
