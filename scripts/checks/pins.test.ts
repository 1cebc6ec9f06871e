import { expect, test } from "vitest";
import { findUnpinned } from "./pins.ts";

const HASH = "0123456789abcdef0123456789abcdef01234567";

test.each([
  "- uses: a/b@v4",
  "- uses: a/b@main",
  "- uses: a/b",
  `- uses: a/b@${HASH}`,
  `- uses: a/b@${HASH} # main`,
  `- uses: a/b@${HASH.slice(1)} # v4.2.2`,
  `- uses: "a/b@v4" # ${HASH} v4.2.2`,
  "- { name: x, uses: a/b@v4 }",
  '- "uses": a/b@v4',
  "  uses: a/b/.github/workflows/c.yml@v1",
  "  uses: docker://debian:12",
])("%s is refused", (line) => {
  expect(findUnpinned(`steps:\n  ${line}\n`)).toMatchObject([{ line: 2 }]);
});

test.each([
  `- uses: a/b@${HASH} # v4.2.2`,
  `- uses: a/b/c@${HASH} # v4.2.2`,
  "- uses: ./.github/actions/own",
  `- uses: docker://debian@sha256:${"0".repeat(64)}`,
  "# - uses: a/b@v4",
  "- run: echo because",
])("%s is accepted", (line) => {
  expect(findUnpinned(`steps:\n  ${line}\n`)).toEqual([]);
});
