import { readFileSync } from "node:fs";
import { RULES } from "../conformance/src/registry/registry.ts";
import { withRules } from "./rules/render-rules.ts";
import { writeOrCheck } from "./write-or-check.ts";

/** Generates the tables in `docs/conformance.md`. The rest of the page is written by hand. */
const page = readFileSync(new URL("../docs/conformance.md", import.meta.url), "utf8");
writeOrCheck("docs/conformance.md", withRules(page, RULES));
