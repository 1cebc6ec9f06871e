import { expect, test } from "vitest";
import { readDestination } from "./destination.ts";

const KEY = "5bZevVJTz5cCMoBYffCCNsEv5qQrU6U-";

test.each([
  [`ws://127.0.0.1:8080/devtools/browser/${KEY}`, "devtools"],
  [`wss://browsers.example/eu/devtools/browser/${KEY}`, "devtools"],
  [`wss://browsers.example/eu/desktop/${KEY}/rfb`, "desktop"],
  ["wss://elsewhere.example/websockify?token=1", "desktop"],
])("%s is used unchanged, for %s", (address, kind) => {
  expect(readDestination(address)).toEqual({ kind, url: new URL(address) });
});

test.each([
  [`http://127.0.0.1:8080/desktop/${KEY}#s3cretpw`, `ws://127.0.0.1:8080/desktop/${KEY}/rfb`],
  [`wss://browsers.example/eu/desktop/${KEY}/rfb#s3cretpw`, `wss://browsers.example/eu/desktop/${KEY}/rfb`],
  [`https://browsers.example/eu/desktop/${KEY}/#s3cretpw`, `wss://browsers.example/eu/desktop/${KEY}/rfb`],
])("the desktop page's URL %s is converted to the desktop's WebSocket URL without the password", (page, socket) => {
  expect(readDestination(page)).toEqual({ kind: "desktop", url: new URL(socket) });
});

test.each([
  ["127.0.0.1:8080/devtools/browser/x", /begins with ws:\/\/ or wss:\/\//],
  ["browser", /begins with ws:\/\//],
  ["", /begins with ws:\/\//],
  [`https://browsers.example/devtools/browser/${KEY}`, /begins with ws:\/\/ or wss:\/\/, not https:/],
  ["ws://127.0.0.1:8080/", /not a browser's address/],
  ["ws://127.0.0.1:8080/devtools/page/1", /not a browser's address/],
  ["http://127.0.0.1:8080", /not a browser's address/],
])("%j is refused with a hint", (address, message) => {
  expect(() => readDestination(address)).toThrow(
    expect.objectContaining({ name: "BadAddress", message: expect.stringMatching(message) }),
  );
});

test("an error message doesn't contain an address's secret", () => {
  expect(() => readDestination(`wss://browsers.example/devtools/pages/${KEY}`)).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining(KEY.slice(0, 20)) }),
  );
});
