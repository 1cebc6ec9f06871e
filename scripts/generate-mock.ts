import { readFileSync } from "node:fs";
import type { Contract } from "../openapi/scripts/contract.ts";
import { withPreferences } from "./mock/render-preferences.ts";
import { writeOrCheck } from "./write-or-check.ts";

/** Generates the table in `docs/mock.md`. The rest of the page is written by hand. */
const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
const contract = JSON.parse(read("openapi/generated/openapi.json")) as Contract;
writeOrCheck("docs/mock.md", withPreferences(read("docs/mock.md"), contract));
