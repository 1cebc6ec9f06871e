import { test } from "vitest";

/** Whether slow tests and the variants of quick tests run. */
export const HAS_VARIANTS = process.env["RBS_VARIANTS"] === "true";

const ignore: unknown = Object.assign(() => {}, { each: () => () => {}, for: () => () => {} });

/** `test` for a variant of a quick test in the same file. Only `npm run test:all` runs variants. */
export const variant = (HAS_VARIANTS ? test : ignore) as Pick<typeof test, "each" | "for"> & {
  (name: string, run: () => unknown): void;
};
