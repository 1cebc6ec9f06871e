import { expect, test } from "vitest";
import { readPages } from "./list-pages.ts";

/** In Chromium's format. */
function toList(pages: readonly object[], indent?: number): Buffer {
  const all = pages.map((page) => ({
    description: "",
    faviconUrl: "https://a.example/icon.png",
    id: "0A1B2C",
    title: "",
    type: "page",
    url: "https://a.example/",
    webSocketDebuggerUrl: "ws://127.0.0.1/devtools/page/0A1B2C",
    ...page,
  }));
  return Buffer.from(JSON.stringify(all, undefined, indent));
}

test.each([undefined, 3])(
  "in a list indented by %s, pages are read in order, and blank pages are moved to the end",
  (indent) => {
    const pages = [
      { id: "BLANK", url: "about:blank" },
      { id: "WORKER", type: "service_worker" },
      { id: "FIRST", title: "ü 😀" },
      { id: "DEVTOOLS", url: "devtools://devtools/bundled/inspector.html" },
      { id: "SECOND", url: `https://a.example/${"x".repeat(1000)}` },
    ];
    expect(readPages(toList(pages, indent))).toEqual(["FIRST", "SECOND", "BLANK"]);
  },
);

test("a page's title and address can't add other pages to the list", () => {
  const text = '"id": "OTHER", "type": "page", "url": "", "id": "OTHER", \\"id\\": \\"OTHER\\"';
  const pages = [{ id: "FIRST", title: text, url: text, faviconUrl: text }, { id: "SECOND" }];
  expect(readPages(toList(pages))).toEqual(["FIRST", "SECOND"]);
});

test("only a limited number of pages is read from a list", () => {
  expect(readPages(toList(Array.from({ length: 2000 }, () => ({}))))).toHaveLength(1000);
});

test.each(["", "[ ]", "null", "[".repeat(100_000), `"id":`, `{"id":"1"}`, `{"type":"page"}`])(
  "a list that contains no complete page has no pages: %s",
  (list) => {
    expect(readPages(Buffer.from(list))).toEqual([]);
  },
);
