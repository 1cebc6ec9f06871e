import { expect, test } from "vitest";
import { readSection } from "./changelog.ts";

const CHANGELOG =
  "# Changelog\n\n## Unreleased\n\n- New\n\n## 0.2.0 (2027-01-02)\n\n### Added\n\n- More\n\n## 0.1.0\n\n- First\n";

test.each([
  ["Unreleased", "- New"],
  ["0.2.0", "### Added\n\n- More"],
  ["0.1.0", "- First"],
  ["0.2", undefined],
])("the section of %s is %j", (version, section) => {
  expect(readSection(CHANGELOG, version)).toBe(section);
});
