import { bundle } from "../scripts/bundle.ts";
import { readAccepted } from "./accepted.ts";
import { compareContracts } from "./compare-contracts.ts";
import { ACCEPTED, readContractFile, RELEASED, versionOf } from "./contract-files.ts";
import { findProblems } from "./find-problems.ts";
import { renderChangelog } from "./render-changelog.ts";
import { sayVersion } from "./version.ts";

/** `npm run changes`: prints the differences from the released contract, and checks whether they are allowed. */
// Bundle the present contract, because the generated one may be stale.
const [before, after] = [readContractFile(RELEASED), await bundle()];
const [released, present] = [versionOf(before), versionOf(after)];
const accepted = readAccepted(ACCEPTED);
const changes = compareContracts(before, after);
process.stdout.write(renderChangelog(`The contract since ${sayVersion(released)}`, changes, accepted));

const problems = findProblems({ changes, accepted, released, present, paths: Object.keys(after.paths) });
if (problems.length > 0) {
  process.stderr.write(`\n${problems.join("\n")}\nSee docs/contract-changes.md for what to do.\n`);
  process.exitCode = 1;
}
