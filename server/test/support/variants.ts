import { test } from "vitest";

/** Whether slow tests run, and with them the variants of quick ones. */
export const HAS_VARIANTS = process.env["RBS_VARIANTS"] === "true";

const ignore: unknown = Object.assign(() => {}, { each: () => () => {}, for: () => () => {} });

/** `test` for what a quick test of the same file shows in another situation. Only `npm run test:all` runs it. */
export const variant = (HAS_VARIANTS ? test : ignore) as Pick<typeof test, "each" | "for"> & {
  (name: string, run: () => unknown): void;
};
