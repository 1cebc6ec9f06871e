import type { Tally } from "../../../scripts/tally/tally.ts";

type GoEvent = { readonly Action: string; readonly Package?: string; readonly Test?: string; readonly Output?: string };

type Ended = { readonly name: string; readonly action: string };

/** Reads the output of `go test -json` line by line. */
type GoEvents = {
  readonly take: (line: string) => void;
  readonly tally: () => Tally;
};

/** @param say Receives the output for the terminal: package results and the output of failed tests. */
export function readGoEvents(say: (text: string) => void): GoEvents {
  const said = new Map<string, string>();
  const ended: Ended[] = [];
  return {
    take(line) {
      const event = parse(line);
      // Before Go 1.24, compiler errors aren't wrapped in JSON.
      if (event === undefined) return say(line);
      const { Action: action, Test: test, Output: output = "", Package: from = "" } = event;
      const name = `${from} ${test ?? ""}`;
      if (action === "output" && test !== undefined) said.set(name, `${said.get(name) ?? ""}${output}`);
      else if (action === "output" || action === "build-output") say(output.trimEnd());
      else if (test !== undefined && ["pass", "fail", "skip"].includes(action)) {
        ended.push({ name, action });
        if (action === "fail") say((said.get(name) ?? "").trimEnd());
        said.delete(name);
      }
    },
    tally() {
      const count = (wanted: string): number =>
        ended.filter((one) => counts(one, ended) && one.action === wanted).length;
      return { passed: count("pass"), failed: count("fail"), skipped: count("skip") };
    },
  };
}

/** Whether a test counts. A test with subtests counts only if it failed and all its subtests passed. */
function counts({ name, action }: Ended, all: readonly Ended[]): boolean {
  const parts = all.filter((other) => other.name.startsWith(`${name}/`));
  return parts.length === 0 || (action === "fail" && parts.every((part) => part.action !== "fail"));
}

function parse(line: string): GoEvent | undefined {
  try {
    return JSON.parse(line) as GoEvent;
  } catch {
    return undefined;
  }
}
