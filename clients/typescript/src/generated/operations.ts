// Generated from the contract by `npm run generate`: change the files in openapi/, not this one.

/** The method and path of each operation, and the JSON Schema of its response, with only members and types. */
export const OPERATIONS = {
  openBrowser: {
    method: "post",
    path: "/api/v1/Browser/Open",
    answer: {"type":["object"],"required":["status","address"],"properties":{"status":{"type":["integer"]},"address":{"type":["string"]}}},
  },
  closeBrowser: {
    method: "post",
    path: "/api/v1/Browser/Close",
    answer: {"type":["object"],"required":["status"],"properties":{"status":{"type":["integer"]}}},
  },
  getBrowsers: {
    method: "get",
    path: "/api/v1/Browser/Get",
    answer: {"type":["object"],"required":["sessions"],"properties":{"sessions":{"type":["array"],"items":{"type":["object"],"required":["startedOn","label","address","vncpass"],"properties":{"startedOn":{"type":["string"]},"label":{"type":["string","null"]},"address":{"type":["string"]},"vncpass":{"type":["string","null"]}}}}}},
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
  queryAi: {
    method: "post",
    path: "/api/v1/ai/Query",
    answer: {"type":["object"],"required":["status","response"],"properties":{"status":{"type":["integer"]},"response":{"type":["string"]},"value":{}}},
  },
} as const;

export type OperationId = keyof typeof OPERATIONS;
