import { z } from "zod";

/** A number in a setting, with one message for whatever is wrong with it. */
export function numberFrom(min: number, max: number, kind: "a whole number" | "a number" = "a whole number") {
  const error = `must be ${kind} from ${min} to ${max}`;
  const number = z.coerce.number(error).min(min, error).max(max, error);
  return kind === "a number" ? number : number.int(error);
}

/** An address that paths are put behind, so it can have nothing there itself. */
export const baseUrl = z
  .string()
  .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ""), "must be an http:// or https:// URL")
  .transform((text) => new URL(text))
  .refine(
    (url) => !/[?#]/.test(url.href) && url.username === "" && url.password === "",
    "must have no query, fragment, user name or password",
  );

/** One that links of pages begin with as well: `//` would lead to another site, and requests come with their path decoded. */
export const siteUrl = baseUrl.refine(
  ({ pathname }) => !/\/\/|%/.test(pathname),
  "must have a path without // and without what a URL writes with %",
);
