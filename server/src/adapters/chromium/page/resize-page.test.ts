import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { WebSocketServer } from "ws";
import { expect, test } from "vitest";
import type { Size } from "../../../domain/browser/screen.ts";
import { resizeFirstPage } from "./resize-page.ts";

const SCALE = 2;
/** Height of the browser's tabs and toolbar, in CSS pixels. */
const TOP = 85;
/** Number of readings before a late change, more than a page needs to settle. */
const LATE = 60;

/**
 * Starts a fake browser whose page appears late, and is slow to follow its screen or window, as on a busy machine.
 * @param late Number of times that the page is read before it changes.
 */
async function startLateBrowser(late = LATE) {
  const asked: Size[] = [];
  let [screen, next, looks] = [{ width: 1920, height: 1080 }, { width: 1920, height: 1080 }, 0];
  const see = () => {
    looks += 1;
    if (looks > late) screen = next;
    const window = { width: screen.width / SCALE, height: screen.height / SCALE };
    return { page: { width: window.width, height: window.height - TOP }, window, screen: window, scale: SCALE };
  };
  const resize = async (size: Size): Promise<void> => {
    asked.push(size);
    [next, looks] = [size, 0];
  };
  // The browser responds before its first page exists.
  const lists = ["[ ]", "[ ]", JSON.stringify([{ id: "1", type: "page", url: "" }])];
  const server = createServer((_, response) => response.end(lists.length > 1 ? lists.shift() : lists[0]));
  new WebSocketServer({ server }).on("connection", (socket) =>
    socket.on("message", (data: Buffer) => {
      const { id, params } = JSON.parse(data.toString()) as {
        readonly id: number;
        readonly params: { readonly bounds?: Size };
      };
      if (params.bounds !== undefined) {
        void resize({ width: params.bounds.width * SCALE, height: params.bounds.height * SCALE });
      }
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
    resize,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const clock = {
  after: (_: number, then: () => void) => {
    setImmediate(then);
    return () => {};
  },
};

const WANTED = { width: 500, height: 300 };
const { signal } = new AbortController();

test.each([
  ["its window has followed its screen", true],
  ["the page matches its window", false],
])("a page is resized once it exists, and its size is corrected only after %s", async (_, hasDisplay) => {
  await using browser = await startLateBrowser();
  await resizeFirstPage(browser.connect, WANTED, hasDisplay ? browser : undefined, clock, signal);
  expect(browser.see().page).toEqual(WANTED);
  expect(browser.asked).toEqual([{ width: 1000, height: 770 }]);
});

test("resizing fails if the page never follows its window", async () => {
  await using browser = await startLateBrowser(Infinity);
  const resizing = resizeFirstPage(browser.connect, WANTED, undefined, clock, signal);
  await expect(resizing).rejects.toThrow("The page has 960 × 455 pixels instead of 500 × 300.");
});
