import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { WebSocketServer } from "ws";
import { expect, test } from "vitest";
import type { Size } from "../../domain/browser/screen.ts";
import { resizeFirstPage } from "./resize-page.ts";

const SCALE = 2;
/** Of the browser's own tabs and toolbar, in CSS pixels. */
const TOP = 85;
/** How often the page looks the same before its window follows the screen: longer than a page that won't change any more. */
const LATE = 60;

/** A browser whose page is there late, and whose window follows its screen late, as on a busy machine. */
async function startLateBrowser() {
  const asked: Size[] = [];
  let [screen, next, looks] = [{ width: 1920, height: 1080 }, { width: 1920, height: 1080 }, 0];
  const see = () => {
    looks += 1;
    if (looks > LATE) screen = next;
    const window = { width: screen.width / SCALE, height: screen.height / SCALE };
    return { page: { width: window.width, height: window.height - TOP }, window, screen: window, scale: SCALE };
  };
  // It answers before its first page exists.
  const lists = ["[ ]", "[ ]", JSON.stringify([{ id: "1", type: "page", url: "" }])];
  const server = createServer((_, response) => response.end(lists.length > 1 ? lists.shift() : lists[0]));
  new WebSocketServer({ server }).on("connection", (socket) =>
    socket.on("message", (data: Buffer) => {
      const { id } = JSON.parse(data.toString()) as { readonly id: number };
      socket.send(JSON.stringify({ id, result: { result: { value: see() } } }));
    }),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    asked,
    see,
    connect: async () => connect(port, "127.0.0.1"),
    async resize(size: Size): Promise<void> {
      asked.push(size);
      [next, looks] = [size, 0];
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test("a page gets its size when it is there, corrected only after the window has followed its screen", async () => {
  await using browser = await startLateBrowser();
  const clock = {
    after: (_: number, then: () => void) => {
      setImmediate(then);
      return () => {};
    },
  };
  const { signal } = new AbortController();
  await resizeFirstPage(browser.connect, { width: 500, height: 300 }, browser, clock, signal);
  expect(browser.see().page).toEqual({ width: 500, height: 300 });
  expect(browser.asked).toEqual([{ width: 1000, height: 770 }]);
});
