import { describe, expect, test } from "vitest";
import { readFragment, toFragment, toRfbUrl } from "./link.js";
import { toOutcome } from "./outcome.js";

describe("how a connection ended", () => {
  test.each([
    [1000, "desktop stopped", { name: "stopped", detail: "" }],
    [1000, "browser closed: inactive", { name: "ended", detail: expect.stringContaining("No client was connected") }],
    [1000, "browser closed: exited", { name: "ended", detail: "The browser was closed by a client or a viewer." }],
    [1011, "browser closed: crashed", { name: "ended", detail: "It crashed." }],
    [1001, "browser closed: shutdown", { name: "ended", detail: "The server was stopped." }],
    [1000, "browser closed: new words", { name: "ended", detail: "Reason: new words." }],
    [1008, "wrong password", { name: "refused", detail: "" }],
    [1006, "", { name: "lost", detail: "" }],
    [1011, "The screen closed the connection.", { name: "lost", detail: "The screen closed the connection." }],
  ])("%s %j", (code, reason, outcome) => {
    expect(toOutcome({ code, reason }, false)).toEqual(outcome);
  });

  test("a rejected password is reported as such, whatever the close code", () => {
    expect(toOutcome({ code: 1005, reason: "" }, true).name).toBe("refused");
  });
});

describe("a link", () => {
  test.each([
    ["", { password: "", isViewOnly: false }],
    ["#k7Rw2xQp", { password: "k7Rw2xQp", isViewOnly: false }],
    ["#view=m3Tz9bVc", { password: "m3Tz9bVc", isViewOnly: true }],
    ["#50%25%20off", { password: "50% off", isViewOnly: false }],
    ["#100%", { password: "100%", isViewOnly: false }],
  ])("with the fragment %j is parsed into its password and access mode", (hash, credentials) => {
    expect(readFragment(hash)).toEqual(credentials);
    expect(readFragment(toFragment(credentials))).toEqual(credentials);
  });

  test.each([
    ["http://127.0.0.1:8080/desktop/key#secret", "ws://127.0.0.1:8080/desktop/key/rfb"],
    ["https://example.com/eu/desktop/key?x=1#secret", "wss://example.com/eu/desktop/key/rfb"],
  ])("%s leads to a WebSocket below it, without the password", (href, url) => {
    expect(toRfbUrl(href)).toBe(url);
  });
});
