import { startCommand } from "../../scripts/command-line/command-line.ts";
import { bundle } from "../scripts/bundle.ts";
import { readAccepted } from "./accepted.ts";
import { compareContracts } from "./compare-contracts.ts";
import { ACCEPTED, readContractFile, RELEASED, versionOf } from "./contract-files.ts";
import { findProblems } from "./find-problems.ts";
import { renderChangelog } from "./render-changelog.ts";
import { sayVersion } from "./version.ts";

startCommand({
  usage: "npm run changes\n\nPrints the differences from the released contract, and checks whether they are allowed.\n",
});
// Bundle the present contract, because the generated one may be stale.
const [before, after] = [readContractFile(RELEASED), await bundle()];
const [released, present] = [versionOf(before), versionOf(after)];
const accepted = readAccepted(ACCEPTED);
const changes = compareContracts(before, after);
process.stdout.write(renderChangelog(`The contract since ${sayVersion(released)}`, changes, accepted));

const problems = findProblems({ changes, accepted, released, present, paths: Object.keys(after.paths) });
if (problems.length > 0) {
  process.stderr.write(`\n${problems.join("\n")}\nSee docs/contract-versions.md for what to do.\n`);
  process.exitCode = 1;
}
