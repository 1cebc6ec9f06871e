import { expect, test } from "vitest";
import { readListedProxy } from "./proxy-list.ts";

test.each([
  ["http://proxy.example:8080", { scheme: "http", host: "proxy.example", port: 8080, credentials: undefined }],
  ["HTTPS://10.0.0.1:443/", { scheme: "https", host: "10.0.0.1", port: 443, credentials: undefined }],
  ["socks5://[2001:db8::1]:1080", { scheme: "socks5", host: "2001:db8::1", port: 1080, credentials: undefined }],
  [
    "http://ann:p%40ss%2C%25%3A@h:1",
    { scheme: "http", host: "h", port: 1, credentials: { username: "ann", password: "p@ss,%:" } },
  ],
  ["socks5h://a%3Ab:p@h:1", { scheme: "socks5", host: "h", port: 1, credentials: { username: "a:b", password: "p" } }],
  [
    "socks5://a%3Ab:p:a@ss/?#w@h:65535",
    { scheme: "socks5", host: "h", port: 65_535, credentials: { username: "a:b", password: "p:a@ss/?#w" } },
  ],
  ["http://h:1?resolve=proxy", { scheme: "http", host: "h", port: 1, credentials: undefined, isResolver: true }],
  ["http://ann@h:1", { scheme: "http", host: "h", port: 1, credentials: { username: "ann", password: "" } }],
])("%s is a proxy", (text, proxy) => {
  expect(readListedProxy(text)).toEqual({ proxy });
});

const SECRETS = /ann|s3cret|hidden/;

test.each([
  ["ann:s3cret@hidden:80", /must begin with http:\/\//],
  ["socks4://ann:s3cret@hidden:80", /must begin with/],
  ["s3cret", /must begin with/],
  ["http://ann:s3cret@hidden", /a port from 1 to 65535/],
  ["http://ann:s3cret@hidden:0", /a port from 1 to 65535/],
  ["http://ann:s3cret@hidden:70000", /a port from 1 to 65535/],
  ["http://ann:s3cret@hidden:80/path", /must end in a host and a port/],
  ["http://ann:s3cret@hid den:80", /neither a name nor an address/],
  ["http://ann:s3cret@[::hidden]:80", /neither a name nor an address/],
  ["http://:s3cret@hidden:80", /no user name/],
  ["http://ann:100%s3cret@hidden:80", /%25/],
  ["http://ann%3A:s3cret@hidden:80", /a colon in its user name/],
  [`socks5://ann:${"s3cret".repeat(50)}@hidden:80`, /longer than 255 bytes/],
])("%s is refused with a message that doesn't quote it", (text, mistake) => {
  const read = readListedProxy(text);
  expect(read.proxy).toBeUndefined();
  expect(read.mistake).toMatch(mistake);
  expect(read.mistake).not.toMatch(SECRETS);
});
