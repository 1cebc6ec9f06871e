// Generated from the contract by `npm run generate`: change the files in openapi/, not this one.

import type { components } from "./types.ts";

/**
 * The method and path of each operation, and the JSON Schema of its response: members, types and times. For bytes,
 * the media types instead.
 */
export const OPERATIONS = {
  openBrowser: {
    method: "post",
    path: "/api/v1/Browser/Open",
    answer: {"type":["object"],"required":["status","address"],"properties":{"status":{"type":["integer"]},"address":{"type":["string"]},"id":{"type":["string"]}}},
  },
  closeBrowser: {
    method: "post",
    path: "/api/v1/Browser/Close",
    answer: {"type":["object"],"required":["status"],"properties":{"status":{"type":["integer"]}}},
  },
  getBrowsers: {
    method: "get",
    path: "/api/v1/Browser/Get",
    answer: {"type":["object"],"required":["sessions"],"properties":{"sessions":{"type":["array"],"items":{"type":["object"],"required":["startedOn","label","address","vncpass"],"properties":{"startedOn":{"type":["string"],"format":"date-time"},"label":{"type":["string","null"]},"address":{"type":["string"]},"vncpass":{"type":["string","null"]},"id":{"type":["string"]},"browser":{"type":["integer"]},"headless":{"type":["boolean"]},"tags":{"type":["array"],"items":{"type":["string"]}},"keepOpen":{"type":["number","null"]},"closesOn":{"type":["string","null"],"format":"date-time"},"clients":{"type":["integer"]},"desktop":{"type":["boolean"]}}}}}},
  },
  getBrowserInfo: {
    method: "post",
    path: "/api/v1/Browser/Info",
    answer: {"type":["object"],"required":["id","state","startedOn","endedOn","reason","units","bytesSent","bytesReceived","address","vncpass","label","tags","browser","headless","keepOpen","closesOn","clients","desktop"],"properties":{"id":{"type":["string"]},"state":{"type":["string"]},"startedOn":{"type":["string"],"format":"date-time"},"endedOn":{"type":["string","null"],"format":"date-time"},"reason":{"type":["string","null"]},"units":{"type":["integer"]},"bytesSent":{"type":["integer","null"]},"bytesReceived":{"type":["integer","null"]},"address":{},"vncpass":{"type":["string","null"]},"label":{"type":["string","null"]},"tags":{"type":["array"],"items":{"type":["string"]}},"browser":{"type":["integer"]},"headless":{"type":["boolean"]},"keepOpen":{"type":["number","null"]},"closesOn":{"type":["string","null"],"format":"date-time"},"clients":{"type":["integer"]},"desktop":{"type":["boolean"]}}},
  },
  getBrowserHistory: {
    method: "post",
    path: "/api/v1/Browser/History",
    answer: {"type":["object"],"required":["browsers","next","keptSince"],"properties":{"browsers":{"type":["array"],"items":{"type":["object"],"required":["id","state","startedOn","endedOn","reason","units","bytesSent","bytesReceived","address","vncpass","label","tags","browser","headless","keepOpen","closesOn","clients","desktop"],"properties":{"id":{"type":["string"]},"state":{"type":["string"]},"startedOn":{"type":["string"],"format":"date-time"},"endedOn":{"type":["string","null"],"format":"date-time"},"reason":{"type":["string","null"]},"units":{"type":["integer"]},"bytesSent":{"type":["integer","null"]},"bytesReceived":{"type":["integer","null"]},"address":{},"vncpass":{"type":["string","null"]},"label":{"type":["string","null"]},"tags":{"type":["array"],"items":{"type":["string"]}},"browser":{"type":["integer"]},"headless":{"type":["boolean"]},"keepOpen":{"type":["number","null"]},"closesOn":{"type":["string","null"],"format":"date-time"},"clients":{"type":["integer"]},"desktop":{"type":["boolean"]}}}},"next":{"type":["string","null"]},"keptSince":{"type":["string","null"],"format":"date-time"}}},
  },
  waitForBrowser: {
    method: "post",
    path: "/api/v1/Browser/Wait",
    answer: {"type":["object"],"required":["state","reason"],"properties":{"state":{"type":["string"]},"reason":{"type":["string","null"]}}},
  },
  updateBrowser: {
    method: "post",
    path: "/api/v1/Browser/Update",
    answer: {"type":["object"],"required":["id","state","startedOn","endedOn","reason","units","bytesSent","bytesReceived","address","vncpass","label","tags","browser","headless","keepOpen","closesOn","clients","desktop"],"properties":{"id":{"type":["string"]},"state":{"type":["string"]},"startedOn":{"type":["string"],"format":"date-time"},"endedOn":{"type":["string","null"],"format":"date-time"},"reason":{"type":["string","null"]},"units":{"type":["integer"]},"bytesSent":{"type":["integer","null"]},"bytesReceived":{"type":["integer","null"]},"address":{},"vncpass":{"type":["string","null"]},"label":{"type":["string","null"]},"tags":{"type":["array"],"items":{"type":["string"]}},"browser":{"type":["integer"]},"headless":{"type":["boolean"]},"keepOpen":{"type":["number","null"]},"closesOn":{"type":["string","null"],"format":"date-time"},"clients":{"type":["integer"]},"desktop":{"type":["boolean"]}}},
  },
  closeAllBrowsers: {
    method: "post",
    path: "/api/v1/Browser/CloseAll",
    answer: {"type":["object"],"required":["closed"],"properties":{"closed":{"type":["integer"]}}},
  },
  takeScreenshot: {
    method: "post",
    path: "/api/v1/Browser/Screenshot",
    answer: {"type":["object"],"required":["type","image"],"properties":{"type":{"type":["string"]},"image":{"type":["string"]}}},
  },
  takeScreenshotImage: {
    method: "get",
    path: "/api/v1/Browser/ScreenshotImage",
    answer: ["image/png","image/jpeg"],
  },
  startRemoteDesktop: {
    method: "post",
    path: "/api/v1/Browser/StartRemoteDesktop",
    answer: {"type":["object"],"required":["status","password","viewPassword","url","rfbUrl"],"properties":{"status":{"type":["integer"]},"password":{"type":["string"]},"viewPassword":{"type":["string"]},"url":{"type":["string"]},"rfbUrl":{"type":["string"]}}},
  },
  stopRemoteDesktop: {
    method: "post",
    path: "/api/v1/Browser/StopRemoteDesktop",
    answer: {"type":["object"],"required":["status"],"properties":{"status":{"type":["integer"]}}},
  },
  getAccount: {
    method: "get",
    path: "/api/v1/Account/Get",
    answer: {"type":["object"],"required":["plan","parallel","open","period","unitsUsed","unitsLeft","additionalUnits","maxLifetime"],"properties":{"plan":{"type":["string","null"]},"parallel":{"type":["integer","null"]},"open":{"type":["integer"]},"period":{"type":["string"]},"unitsUsed":{"type":["integer"]},"unitsLeft":{"type":["integer","null"]},"additionalUnits":{"type":["boolean"]},"maxLifetime":{"type":["number","null"]}}},
  },
  queryAi: {
    method: "post",
    path: "/api/v1/ai/Query",
    answer: {"type":["object"],"required":["status","response"],"properties":{"status":{"type":["integer"]},"response":{"type":["string"]},"value":{}}},
  },
} as const;

export type OperationId = keyof typeof OPERATIONS;

/** The bodies of each operation's request and successful response. The query, if a request has no body. */
export type Bodies = {
  openBrowser: { body: components["schemas"]["OpenOptions"]; answer: components["schemas"]["OpenResult"] };
  closeBrowser: { body: components["schemas"]["BrowserReference"]; answer: components["schemas"]["CloseResult"] };
  getBrowsers: { body: undefined; answer: components["schemas"]["SessionList"] };
  getBrowserInfo: { body: components["schemas"]["BrowserReference"]; answer: components["schemas"]["BrowserRecord"] };
  getBrowserHistory: { body: components["schemas"]["HistoryRequest"]; answer: components["schemas"]["BrowserHistory"] };
  waitForBrowser: { body: components["schemas"]["WaitRequest"]; answer: components["schemas"]["WaitResult"] };
  updateBrowser: { body: components["schemas"]["UpdateRequest"]; answer: components["schemas"]["BrowserRecord"] };
  closeAllBrowsers: { body: components["schemas"]["CloseAllRequest"]; answer: components["schemas"]["CloseAllResult"] };
  takeScreenshot: { body: components["schemas"]["BrowserReference"]; answer: components["schemas"]["Screenshot"] };
  takeScreenshotImage: { body: { id: string }; answer: Uint8Array<ArrayBuffer> };
  startRemoteDesktop: { body: components["schemas"]["BrowserReference"]; answer: components["schemas"]["StartRemoteDesktopResult"] };
  stopRemoteDesktop: { body: components["schemas"]["BrowserReference"]; answer: components["schemas"]["StopRemoteDesktopResult"] };
  getAccount: { body: undefined; answer: components["schemas"]["AccountInfo"] };
  queryAi: { body: components["schemas"]["QueryRequest"]; answer: components["schemas"]["QueryResult"] };
};
