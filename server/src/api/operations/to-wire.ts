import type { components } from "@remote-browser/contract/types";
import { toWireKind } from "../../domain/browser/browser-kind.ts";
import type { ListedBrowser } from "../../ports/fleet.ts";
import type { BrowserRecord } from "../../services/records/records.ts";

type Wire = components["schemas"];

/** Converts an open browser to Get's format. */
export function toSession(browser: ListedBrowser): Wire["Session"] {
  const { address, desktopPassword, due, clients } = browser;
  return {
    ...toCommon(browser),
    address,
    vncpass: desktopPassword ?? null,
    closesOn: due?.at.toISOString() ?? null,
    clients,
    desktop: desktopPassword !== undefined,
  };
}

/** Converts a browser in any state. */
export function toRecord(browser: BrowserRecord): Wire["BrowserRecord"] {
  const { units, traffic } = browser;
  const end = "closedAt" in browser ? { at: browser.closedAt, reason: browser.reason } : browser.end;
  const counted = { units, bytesSent: traffic?.sent ?? null, bytesReceived: traffic?.received ?? null };
  if (end === undefined && !("closedAt" in browser))
    return { ...toSession(browser), ...counted, state: "open", endedOn: null, reason: null };
  return {
    ...toCommon(browser),
    ...counted,
    state: "closed",
    endedOn: end?.at.toISOString() ?? null,
    reason: end?.reason ?? null,
    address: null,
    vncpass: null,
    closesOn: null,
    clients: 0,
    desktop: false,
  };
}

function toCommon({ id, openedAt, label, tags, kind, isHeadless, keepOpenMs }: BrowserRecord | ListedBrowser) {
  return {
    id,
    startedOn: openedAt.toISOString(),
    label: label ?? null,
    tags: [...tags],
    browser: toWireKind(kind),
    headless: isHeadless,
    keepOpen: keepOpenMs === undefined ? null : keepOpenMs / 1000,
  };
}
