import { expect, test } from "vitest";
import { FakeClock, settled } from "../../../test/fakes/fake-clock.ts";
import type { Call } from "../../contract/operation.ts";
import type { Account } from "../../domain/account/account.ts";
import type { Fleet } from "../../ports/fleet.ts";
import type { BrowserRecords } from "../../services/browsers/records.ts";
import { newScreenshotPermits } from "../../services/browsers/capture-permits.ts";
import { newBrowserHandlers } from "./browser.ts";

test("an account gets four screenshots at the same time, and others get theirs beside it", async () => {
  const permits = newScreenshotPermits(new FakeClock());
  const taken: string[] = [];
  const { promise, resolve } = Promise.withResolvers<{ type: "image/png"; bytes: Buffer }>();
  const fleet: Pick<Fleet, "takeScreenshot"> = {
    takeScreenshot({ id }) {
      taken.push(id);
      return promise;
    },
  };
  const { takeScreenshot } = newBrowserHandlers(fleet as Fleet, {} as BrowserRecords, permits);
  const take = (id: string): Promise<unknown> => {
    const call = { account: { id } as Account, body: { id: "br_1" }, signal: new AbortController().signal };
    return takeScreenshot(call as Call<"takeScreenshot">);
  };
  const all = [...Array.from({ length: 40 }, () => take("a")), take("b")];
  await settled();
  expect(taken).toEqual(["a", "a", "a", "a", "b"]);
  resolve({ type: "image/png", bytes: Buffer.from("picture") });
  await Promise.all(all);
  expect([taken.length, permits.held, permits.waiting]).toEqual([41, 0, 0]);
});
