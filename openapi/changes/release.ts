import { execFileSync } from "node:child_process";
import { copyFileSync, writeFileSync } from "node:fs";
import { startCommand } from "../../command-line/src/command-line.ts";
import { addRequiredMembers, readRequiredMembers, REQUIRED } from "../scripts/required-members.ts";
import { reviewContract } from "./find-problems.ts";
import { ACCEPTED, compareVersions, PRESENT, readContractFile, RELEASED, sayVersion } from "./released.ts";
import { renderChangelog } from "./render-changelog.ts";

startCommand({
  usage: "npm run release -w openapi\n\nReleases the present contract. Later contracts are compared with it.\n",
});
// npm runs this script in the contract's folder.
execFileSync(process.execPath, ["scripts/fresh.ts"], { stdio: "inherit" });
const after = readContractFile(PRESENT);
const { changes, accepted, released, present, problems: found } = reviewContract(after);
const problems = [...found];
if (compareVersions(present, released) === 0)
  problems.push(`${sayVersion(present)} is already released: raise info.version.`);

if (problems.length > 0) {
  process.stderr.write(`${problems.join("\n")}\nNothing was released.\n`);
  process.exitCode = 1;
} else {
  copyFileSync(PRESENT, RELEASED);
  // Clients of a new major version don't support servers of the previous major version.
  const known = present.major === released.major ? readRequiredMembers() : {};
  writeFileSync(REQUIRED, JSON.stringify(addRequiredMembers(known, after)));
  writeFileSync(ACCEPTED, "[]\n");
  execFileSync("oxfmt", ["released"], { stdio: "inherit" });
  process.stdout.write(renderChangelog(`${sayVersion(present)}, since ${sayVersion(released)}`, changes, accepted));
}
