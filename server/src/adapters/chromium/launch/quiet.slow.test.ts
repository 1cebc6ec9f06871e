import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { openBrowserRig } from "../../../../test/support/browsers/browser-rig.ts";

/** How long a browser without clients is watched, in ms. Any unwanted request would appear within 5 to 20 s. */
const WATCHED_MS = 60_000;

const KINDS = {
  headless: {},
  "headless and not stealthy": { isStealthy: false },
  graphical: { isHeadless: false },
  "graphical and not stealthy": { isHeadless: false, isStealthy: false },
  "headless shell": { kind: "chrome-headless-shell" },
} as const;

test.each(Object.entries(KINDS))(
  "a browser that is %s doesn't make requests by itself",
  { concurrent: true },
  async (_, kind) => {
    await using rig = await openBrowserRig("sandbox");
    await using _browser = await rig.open(kind);
    // No event reports that a request was not sent.
    await wait(WATCHED_MS);
    expect(rig.egress.requests).toEqual([]);
  },
);
