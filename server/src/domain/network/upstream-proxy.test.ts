import { expect, test } from "vitest";
import { Failure } from "../failure.ts";
import { readProxy } from "./upstream-proxy.ts";

test.each([
  ["proxy.example", { scheme: "http", host: "proxy.example" }],
  ["http://proxy.example", { scheme: "http", host: "proxy.example" }],
  ["HTTPS://proxy.example", { scheme: "https", host: "proxy.example" }],
  ["socks5://10.0.0.1", { scheme: "socks5", host: "10.0.0.1" }],
  ["SOCKS5h://proxy.example", { scheme: "socks5", host: "proxy.example" }],
  ["proxy-1.my_net.example.", { scheme: "http", host: "proxy-1.my_net.example." }],
  ["[2001:db8::1]", { scheme: "http", host: "2001:db8::1" }],
  ["socks5://2001:db8::1", { scheme: "socks5", host: "2001:db8::1" }],
])("the host %s is accepted", (Host, expected) => {
  expect(readProxy({ Host, Port: "1080" })).toEqual({ ...expected, port: 1080, credentials: undefined });
});

test.each([
  "",
  "http://",
  "a b",
  "proxy.example:3128",
  "proxy.example/path",
  "ftp://proxy.example",
  "user:secret@proxy.example",
  "[proxy.example]",
])("the host %j is rejected without quoting a secret", (Host) => {
  const read = (): unknown => readProxy({ Host, Port: "1080" });
  expect(read).toThrow(
    expect.objectContaining({ failure: "BadRequest", errors: [expect.objectContaining({ path: "/Host" })] }),
  );
  expect(read).not.toThrow(/secret/);
});

test("a password requires a user name, but a user name doesn't require a password", () => {
  const host = { Host: "proxy.example", Port: "1080" };
  expect(readProxy({ ...host, Username: "u" }).credentials).toEqual({ username: "u", password: "" });
  expect(readProxy({ ...host, Username: null, Password: null }).credentials).toBeUndefined();
  expect(() => readProxy({ ...host, Password: "p" })).toThrow(Failure);
});
