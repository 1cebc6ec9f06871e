import { startCommand } from "../../command-line/src/command-line.ts";
import { bundle } from "../scripts/bundle.ts";
import { reviewContract } from "./find-problems.ts";
import { sayVersion } from "./released.ts";
import { renderChangelog } from "./render-changelog.ts";

startCommand({
  usage: "npm run changes\n\nPrints the differences from the released contract, and checks whether they are allowed.\n",
});
// Bundle the current contract, because the generated file may be stale.
const { changes, accepted, released, problems } = reviewContract(await bundle());
process.stdout.write(renderChangelog(`The contract since ${sayVersion(released)}`, changes, accepted));
if (problems.length > 0) {
  process.stderr.write(`\n${problems.join("\n")}\nSee docs/contract-versions.md for what to do.\n`);
  process.exitCode = 1;
}
