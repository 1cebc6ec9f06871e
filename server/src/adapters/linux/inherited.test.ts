import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";

const MODULE = new URL("./inherited.ts", import.meta.url).href;

/** Uses a shell to run a program that imports the module. @returns The program's output. */
function run(start: (program: string) => readonly string[], code: string): string {
  const program = `import * as inherited from "${MODULE}"; ${code}`;
  const [command = "", ...rest] = start(`'${process.execPath}' --input-type=module -e '${program}'`);
  return execFileSync(command, rest, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }).trim();
}

test("inherited descriptors are closed, and Node keeps working", () => {
  const seen = run(
    (program) => ["bash", "-c", `exec 40</etc/hostname 251</etc/hostname; exec ${program}`],
    `import { existsSync } from "node:fs";
     const open = () => [40, 251].filter((fd) => existsSync("/proc/self/fd/" + fd)).join();
     const before = open(); inherited.closeInherited();
     setTimeout(() => console.log(before + "; " + open()), 1);`,
  );
  expect(seen).toBe("40,251;");
});

test("a process that leaves its terminal can still write to it", () => {
  const seen = run(
    (program) => ["script", "-qec", `${program}; true`, "/dev/null"],
    `import { readFileSync } from "node:fs";
     const terminal = () => readFileSync("/proc/self/stat", "latin1").split(") ")[1].split(" ")[4] !== "0";
     const before = terminal(); await inherited.leaveTerminal(); await inherited.leaveTerminal();
     console.log(before + "; " + terminal());`,
  );
  expect(seen).toBe("true; false");
});
