/** A row of openapi/DECISIONS.md. */
type Decision = {
  readonly point: string;
  /** Ids of the rules that test it. */
  readonly rules: readonly string[];
  /** Why no rule tests it, if the row gives a reason. */
  readonly whyNone: string | undefined;
};

const HEAD = "| Open point |";

export function readDecisions(text: string): readonly Decision[] {
  const rows = text.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith(HEAD));
  return rows.map((row) => {
    const cells = row
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim());
    const [point = "", last = ""] = [cells[0], cells[4]];
    const [, whyNone] = /^none: (.+)$/.exec(last) ?? [];
    const rules = [...last.matchAll(/`(RBS-[A-Z]+-\d\d)`/g)].map(([, id = ""]) => id);
    return { point, rules, whyNone };
  });
}
