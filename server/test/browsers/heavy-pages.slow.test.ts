import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Evaluate, connectDevtools, openPage } from "../support/browsers/devtools-client.ts";
import { descendants, listProcesses } from "../support/machine/processes.ts";
import { expectNothingHeld } from "../support/browsers/resources.ts";
import { startServer } from "../support/servers/real-server.ts";

const MIB = 2 ** 20;
const [PAGES, CANVASES, MEMORY] = [20, 2, 2048 * MIB];
/** High enough that counting shared memory twice would exceed the limit. */
const MIN_USED = 0.6 * MEMORY;

/** Longer than the broker takes to check all processes twice. */
const LOOKS_MS = 3000;

/** Fills a page with objects, elements, and images, which the renderer shares with the GPU process. */
const FILL = `(() => {
  globalThis.numbers = Array.from({ length: 3 }, (_, at) => new Float64Array(2 ** 20).fill(at + 1));
  document.body.innerHTML = ("<p>" + "word ".repeat(40) + "</p>").repeat(2000);
  const drawn = Array.from({ length: ${CANVASES} }, () => {
    const canvas = document.body.appendChild(document.createElement("canvas"));
    Object.assign(canvas, { width: 1200, height: 1200 }).getContext("2d").fillRect(0, 0, 1200, 1200);
    return new Promise((encoded) => canvas.toBlob(encoded));
  });
  return Promise.all(drawn).then(({ length }) => length);
})()`;

/** Returns the memory that the server's processes use: their private memory and their share of the shared memory. */
function readUsed(serverPid: number): number {
  const texts = descendants(listProcesses(), serverPid).map(({ pid }) =>
    readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"),
  );
  const parts = texts.flatMap((text) => [...text.matchAll(/^Pss_(?:Anon|Shmem): +(\d+) kB$/gm)]);
  return parts.reduce((sum, [, kilobytes]) => sum + Number(kilobytes) * 1024, 0);
}

test.skipIf(process.getuid?.() !== 0)("without control groups, a browser with 20 heavy pages stays open", async () => {
  const settings = { RBS_WARM: "0", RBS_SPARE_SANDBOXES: "0", RBS_BROWSER_MEMORY_MB: String(MEMORY / MIB) };
  await using server = await startServer({ hasNoGroups: true, settings });
  const address = await server.open({ Browser: 2, Headless: true });
  {
    await using client = await connectDevtools(address);
    const pages: Evaluate[] = [];
    for (let page = 1; page <= PAGES; page += 1) {
      const evaluate = await openPage(client, "about:blank");
      expect(await evaluate(FILL)).toBe(CANVASES);
      pages.push(evaluate);
    }
    const used = readUsed(server.pid);
    expect(used).toBeGreaterThan(MIN_USED);
    expect(used).toBeLessThan(MEMORY);
    await pages[0]?.(`new Promise((over) => setTimeout(over, ${LOOKS_MS}))`);
    for (const evaluate of pages) expect(await evaluate("numbers.length")).toBe(3);
  }
  await server.close(address);
  await expectNothingHeld(server);
});
