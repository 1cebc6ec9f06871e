import type { Semaphore } from "../../concurrency/semaphore.ts";
import { readOpenOptions } from "../../domain/browser/open-options.ts";
import { readSelector } from "../../domain/browser/selector.ts";
import type { Handlers } from "../../contract/operation.ts";
import type { Fleet } from "../../ports/fleet.ts";
import type { BrowserRecords } from "../../services/records/records.ts";
import { readUpdate, readIdempotencyKey, readHistoryFilter, readMatch } from "./read-requests.ts";
import type { BodyChecks } from "../mount.ts";
import { toRecord, toSession } from "./to-wire.ts";

const DEFAULT_WAIT_S = 25;
const DEFAULT_LIMIT = 100;

/** Throws `BadRequest` for bodies that match the schema but that these operations refuse. */
export const BROWSER_CHECKS: BodyChecks = {
  openBrowser: (body) => readOpenOptions(body ?? {}),
  closeBrowser: readSelector,
  getBrowserInfo: readSelector,
  getBrowserHistory: (body) => readHistoryFilter(body ?? {}),
  waitForBrowser: readSelector,
  updateBrowser: readUpdate,
  closeAllBrowsers: readMatch,
  takeScreenshot: readSelector,
  takeScreenshotImage: readSelector,
};

/**
 * Handles the operations that open, close, show and change browsers.
 * @param screenshots Permits for screenshot requests.
 */
export function newBrowserHandlers(fleet: Fleet, records: BrowserRecords, screenshots: Semaphore) {
  return {
    async openBrowser({ account, body, header, base, signal: disconnected }) {
      const options = readOpenOptions(body ?? {});
      const key = readIdempotencyKey(header("Idempotency-Key"));
      const { id, address } = await fleet.openBrowser({ account, options, base, disconnected }, key);
      return { status: 200, body: { status: 200, address, id } };
    },

    async closeBrowser({ account, body }) {
      await fleet.close(account, readSelector(body));
      return { status: 200, body: { status: 200 } };
    },

    async getBrowsers({ account }) {
      return { status: 200, body: { sessions: (await fleet.list(account)).map(toSession) } };
    },

    async getBrowserInfo({ account, body }) {
      return { status: 200, body: toRecord(await records.find(account, readSelector(body))) };
    },

    async getBrowserHistory({ account, body }) {
      const { limit, cursor } = body ?? {};
      const filter = readHistoryFilter(body ?? {});
      const page = await records.list(account, filter, limit ?? DEFAULT_LIMIT, cursor ?? undefined);
      const { browsers, next = null, keptSince } = page;
      const body200 = { browsers: browsers.map(toRecord), next, keptSince: keptSince?.toISOString() ?? null };
      return { status: 200, body: body200 };
    },

    async waitForBrowser({ account, body, signal }) {
      const maxMs = (body.seconds ?? DEFAULT_WAIT_S) * 1000;
      const { state, reason } = toRecord(await records.wait(account, readSelector(body), maxMs, signal));
      return { status: 200, body: { state, reason } };
    },

    async updateBrowser({ account, body }) {
      const { selector, change } = readUpdate(body);
      return { status: 200, body: toRecord(await fleet.change(account, selector, change)) };
    },

    async closeAllBrowsers({ account, body }) {
      return { status: 200, body: { closed: await fleet.closeMatching(account, readMatch(body)) } };
    },

    async takeScreenshot({ account, body, signal, keepUntilWritten }) {
      keepUntilWritten(await screenshots.acquire(signal, account.id));
      const { type, bytes } = await fleet.takeScreenshot(account, readSelector(body), signal);
      return { status: 200, body: { type, image: Buffer.from(bytes).toString("base64") } };
    },

    async takeScreenshotImage({ account, body, signal, keepUntilWritten }) {
      keepUntilWritten(await screenshots.acquire(signal, account.id));
      return { status: 200, ...(await fleet.takeScreenshot(account, readSelector(body), signal)) };
    },
  } satisfies Partial<Handlers>;
}
