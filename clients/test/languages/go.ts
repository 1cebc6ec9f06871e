import { globSync } from "node:fs";
import { dirname, join } from "node:path";
import { NONE, type Tally, add, withExit } from "../../../scripts/tally/tally.ts";
import { whyMissing } from "../../../scripts/setup/toolchains.ts";
import { readGoEvents } from "../reports/go-events.ts";
import type { Bench, Language } from "./language.ts";

export const go: Language = {
  id: "go",
  title: "Go",
  missing: (root) => whyMissing("go", root),
  async run(bench) {
    // `./...` does not include other modules.
    const modules = globSync("clients/go/**/go.mod", { cwd: bench.root }).toSorted();
    let tally = NONE;
    for (const each of modules) tally = add(tally, await runModule(bench, dirname(each)));
    return tally;
  },
};

async function runModule({ root, command }: Bench, folder: string): Promise<Tally> {
  const events = readGoEvents((text) => console.log(text));
  // With -count=1, Go doesn't reuse cached results, because each run has a new stage. A check runs vet.
  const args = ["test", "-json", "-count=1", "-vet=off", "./..."];
  const exitCode = await command({ program: "go", args, cwd: join(root, folder), onLine: events.take });
  return withExit(events.tally(), exitCode);
}
