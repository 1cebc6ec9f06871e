import { expect, test } from "vitest";
import { refusalOf } from "./caller.ts";

test.each([
  { host: "localhost:9222" },
  { host: "127.0.0.1" },
  { host: "127.0.0.1:9222" },
  { host: "[::1]:9222" },
  { host: "browser.localhost" },
  { host: "localhost:9222", "sec-fetch-site": "none" },
])("a request from a local program is accepted: %j", (headers) => {
  expect(refusalOf(headers)).toBeUndefined();
});

test.each([
  [{ host: "evil.example:9222" }, /localhost or an IP address/],
  [{ host: "127.0.0.1.evil.example" }, /localhost or an IP address/],
  [{ host: "localhost.evil.example" }, /localhost or an IP address/],
  [{ host: "notlocalhost" }, /localhost or an IP address/],
  [{ host: "[::1" }, /localhost or an IP address/],
  [{}, /localhost or an IP address/],
  [{ host: "localhost:9222", origin: "https://evil.example" }, /Web pages/],
  [{ host: "localhost:9222", origin: "http://localhost:9222" }, /Web pages/],
  [{ host: "localhost:9222", origin: "null" }, /Web pages/],
  [{ host: "localhost:9222", "sec-fetch-site": "cross-site" }, /Web pages/],
  [{ host: "localhost:9222", "sec-fetch-site": "same-origin" }, /Web pages/],
])("a request from a page or with a non-local host name is rejected: %j", (headers, why) => {
  expect(refusalOf(headers)).toMatch(why);
});
