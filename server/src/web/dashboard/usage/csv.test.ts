import fc from "fast-check";
import { expect, test } from "vitest";
import { toCsvLine } from "./csv.ts";

/** Reads a single record as RFC 4180 specifies. */
function readLine(line: string): string[] {
  const body = line.replace(/\r\n$/, "");
  const cells: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|$)/gy;
  for (;;) {
    const found = cell.exec(body);
    if (found === null) throw new Error(`Not CSV: ${JSON.stringify(line)}`);
    cells.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? "");
    if (found[3] === "") return cells;
  }
}

test.each([
  [["plain", 7], "plain,7\r\n"],
  [["a,b", 'say "hi"', "two\r\nlines"], '"a,b","say ""hi""","two\r\nlines"\r\n'],
  [["", "ünïcödé ✓"], ",ünïcödé ✓\r\n"],
  [[-1], "-1\r\n"],
])("%j is written as %j", (cells, line) => {
  expect(toCsvLine(cells)).toBe(line);
});

test.each(["=1+1", "+49", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1+1", '=HYPERLINK("http://x")'])(
  "%j is text in a spreadsheet, not a formula",
  (text) => {
    expect(readLine(toCsvLine([text, "next"]))).toEqual([`'${text}`, "next"]);
  },
);

test("any cell is read back unchanged, or with a leading apostrophe", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary" }), { minLength: 1, maxLength: 6 }), (cells) => {
      const read = readLine(toCsvLine(cells));
      expect(read).toHaveLength(cells.length);
      for (const [index, cell] of cells.entries()) expect([cell, `'${cell}`]).toContain(read[index]);
      for (const cell of read) expect(cell).not.toMatch(/^[=+\-@\t\r\n]/);
    }),
  );
});
