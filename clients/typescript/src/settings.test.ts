import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type ClientSettings, readSettings } from "./settings.ts";

beforeEach(() => {
  vi.stubEnv("RBS_URL", undefined);
  vi.stubEnv("RBS_TOKEN", undefined);
});

afterEach(() => {
  vi.unstubAllEnvs();
});

test("arguments override the environment, and the environment overrides the defaults", () => {
  expect(readSettings({ token: "t" }).url).toBe("http://127.0.0.1:8080");
  vi.stubEnv("RBS_URL", "https://browsers.example/eu/");
  vi.stubEnv("RBS_TOKEN", "rbs_e");
  expect(readSettings({})).toMatchObject({ url: "https://browsers.example/eu", token: "rbs_e" });
  const given = { url: new URL("http://h:1"), token: "rbs_a" };
  expect(readSettings(given)).toMatchObject({ url: "http://h:1", token: "rbs_a" });
});

test("the defaults match the README", () => {
  expect(readSettings({ token: "t" })).toMatchObject({ timeoutMs: 90_000, totalTimeoutMs: 300_000, retries: 2 });
});

test("an empty environment variable is treated as missing", () => {
  vi.stubEnv("RBS_URL", "");
  vi.stubEnv("RBS_TOKEN", "");
  expect(() => readSettings({})).toThrow("There is no token: pass `token`, or set RBS_TOKEN.");
  expect(readSettings({ token: "t" }).url).toBe("http://127.0.0.1:8080");
});

const WRONG: readonly (readonly [ClientSettings, string])[] = [
  [{ token: "" }, "`token` is empty"],
  [{ token: "rbs_secret\n" }, "`token` has a space, a line break"],
  [{ url: "" }, '`url` is ""'],
  [{ url: "browsers.example" }, '`url` is "browsers.example": it must begin with http:// or https://'],
  [{ url: "localhost:8080" }, '`url` is "localhost:8080": it must begin with http:// or https://'],
  [{ url: "http://" }, '`url` is "http://": it must be a complete URL'],
  [{ url: "http://:80" }, '`url` is "http://:80": it must be a complete URL'],
  [{ url: "http://h i:99999" }, '`url` is "http://h i:99999": it must be a complete URL'],
  [{ url: "http://h:99999" }, '`url` is "http://h:99999": its port must be a number from 0 to 65535, such as https://'],
  [{ url: "http://[::1]:port/eu" }, '`url` is "http://[::1]:port/eu": its port must be a number'],
  [{ url: "ftp://h" }, '`url` is "ftp://h"'],
  [{ url: "http://h/?a=1" }, '`url` is "http://h/?a=1"'],
  [{ url: "http://h/?" }, '`url` is "http://h/?": it must not contain ? or #'],
  [{ url: "http://h/#" }, '`url` is "http://h/#"'],
  [{ url: "http://u:pass@h" }, "`url` has a user name or a password"],
  [{ url: "http://u:pass@h:99999" }, "`url` has a user name or a password"],
  [{ url: "u:pass@h" }, "`url` has a user name or a password"],
  [{ url: "ws://h/devtools/browser/secret" }, '`url` is "ws://h/devtools/browser/…"'],
  [{ url: "http://h/?token=rbs_good" }, '`url` is "http://h/?token=…"'],
  [{ timeoutMs: -1 }, "`timeoutMs` is -1"],
  [{ timeoutMs: 0 }, "`timeoutMs` is 0"],
  [{ totalTimeoutMs: Number.NaN }, "`totalTimeoutMs` is NaN"],
  [{ totalTimeoutMs: Number.POSITIVE_INFINITY }, "`totalTimeoutMs` is Infinity"],
  [{ retries: -1 }, "`retries` is -1"],
  [{ retries: 1.5 }, "`retries` is 1.5"],
  [{ headers: { Authorization: "secret" } }, "`headers` has Authorization"],
  [{ headers: { "Content-Length": "3" } }, "`headers` has Content-Length, which the client sets itself"],
  [{ headers: { HOST: "elsewhere" } }, "`headers` has HOST"],
  [{ headers: { "content-TYPE": "text/plain" } }, "`headers` has content-TYPE"],
  [{ headers: { connection: "keep-alive" } }, "`headers` has connection"],
  [{ headers: { "Transfer-Encoding": "chunked" } }, "`headers` has Transfer-Encoding"],
  [{ headers: { "X-A": "secret\n\n1" } }, '`headers` has "X-A", whose name or value'],
];

test.each(WRONG)("%j is refused; the error says what is wrong and shows no secrets", (settings, words) => {
  const read = () => readSettings({ token: "rbs_good", ...settings });
  expect(read).toThrow(TypeError);
  expect(read).toThrow(words);
  expect(read).not.toThrow(/secret|rbs_|pass@/);
});

test("an unknown setting is rejected, and the error suggests the correct name", () => {
  const all = "The settings are url, token, timeoutMs, totalTimeoutMs, retries, headers, fetch.";
  expect(() => readSettings({ tokn: "secret" } as never)).toThrow(
    new TypeError(`There is no setting \`tokn\`. ${all}`),
  );
  expect(() => readSettings({ token: "t", timeout_ms: 1 } as never)).toThrow(
    new TypeError(`There is no setting \`timeout_ms\`. ${all} Did you mean timeoutMs?`),
  );
  expect(readSettings({ token: "t", tokn: undefined } as never).token).toBe("t");
});

test("an @ in a path is allowed", () => {
  expect(readSettings({ token: "t", url: "http://h/@me" }).url).toBe("http://h/@me");
});

test("a header that is passed in two spellings is sent only once", () => {
  expect(readSettings({ token: "t", headers: { "X-A": "1", "x-a": "2" } }).headers["x-a"]).toBe("2");
});

test("custom headers are added, and may replace the User-Agent", () => {
  const { headers } = readSettings({ token: "t", headers: { "X-Trace": "1", "User-Agent": "mine" } });
  expect(headers).toStrictEqual({
    "user-agent": "mine",
    "x-trace": "1",
    authorization: "Bearer t",
    connection: "close",
  });
});
