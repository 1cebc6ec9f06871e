import type { Row } from "../../bench.ts";
import { interleave } from "../../measure/interleave.ts";
import { differences, medianOf, spreadOf } from "../../measure/statistics.ts";
import { timeEachMs } from "../../measure/time.ts";
import type { Figure } from "../../report/figure.ts";
import { ms, signed, toText } from "../../report/units.ts";
import { type OpenBrowser, openBrowser, timeOpenMs } from "../../subjects/browsers/open-browser.ts";
import type { Server } from "../../subjects/processes/server.ts";
import { connectToPage, openSite } from "../../subjects/browsers/site.ts";

const SHELL = { Browser: 3 } as const;
const ROUNDS = { rounds: 7, warmUps: 1 };

/** How long the neighbour's client makes calls. */
const CALLS_MS = 1000;
const MAX_ADDED_MS = 1000;

/** Expressions that run in a page indefinitely. */
const ATTACKS: Readonly<Record<string, string>> = {
  "allocates memory": "const all = []; while (true) all.push(new Uint8Array(2 ** 24).fill(1))",
  "starts workers": `const url = URL.createObjectURL(new Blob(["while (true);"]));
    (async () => { while (true) { new Worker(url); await new Promise((next) => setTimeout(next)); } })()`,
  "fills its storage": `(async () => {
    const folder = await navigator.storage.getDirectory();
    for (let file = 0; ; file += 1) {
      const stream = await (await folder.getFileHandle(String(file), { create: true })).createWritable();
      await stream.write(new Uint8Array(2 ** 24)).then(() => stream.close(), () => {});
    }
  })()`,
};

/** DevTools calls and an Open request while a page in another browser of the same account uses unlimited resources. */
export const attacks: Row = {
  name: "attacks",
  async measure(bench) {
    await using site = await openSite();
    await using server = await bench.newServer({ egress: "any" });
    await using neighbour = await openBrowser(server, SHELL);
    const figures: Figure[] = [];
    for (const [what, expression] of Object.entries(ATTACKS)) {
      const attack = async (measure: () => Promise<number>): Promise<number> => {
        await using _attacker = await startAttack(server, site.url, expression);
        return await measure();
      };
      const measured = await interleave(
        {
          idleCall: () => slowestCallMs(neighbour),
          call: () => attack(() => slowestCallMs(neighbour)),
          idleOpen: () => timeOpenMs(server, SHELL),
          open: () => attack(() => timeOpenMs(server, SHELL)),
        },
        ROUNDS,
        bench.report,
      );
      const [call, open] = [
        spreadOf(differences(measured.call, measured.idleCall)),
        spreadOf(differences(measured.open, measured.idleOpen)),
      ];
      figures.push({
        name: `slowest DevTools call and cold Open while another browser's page ${what}`,
        ours: [measured.call, measured.open].map((values) => ms(medianOf(values))).join(", "),
        baseline: `without the attack ${[measured.idleCall, measured.idleOpen].map((values) => ms(medianOf(values))).join(", ")}`,
        compared: [call, open].map((added) => toText(added, signed(ms))).join(", "),
        target: `≤ + ${MAX_ADDED_MS} ms`,
        isMet: Math.max(call.median, open.median) <= MAX_ADDED_MS,
      });
    }
    return figures;
  },
};

/** Starts an attack. Disposing the result ends the attack, unless its browser has already ended. */
async function startAttack(server: Server, site: string, expression: string): Promise<AsyncDisposable> {
  const address = await server.open(SHELL);
  const attacker = await connectToPage(address.href);
  await attacker.page.goto(site);
  attacker.page.evaluate(expression).catch(() => {});
  return {
    async [Symbol.asyncDispose]() {
      // Close fails if the browser has already ended.
      await server.close(address).catch(() => {});
      await attacker[Symbol.asyncDispose]();
    },
  };
}

async function slowestCallMs({ client }: OpenBrowser): Promise<number> {
  const frame = client.frame("Browser.getVersion");
  return Math.max(...(await timeEachMs(() => client.exchange(frame), { forMs: CALLS_MS })));
}
