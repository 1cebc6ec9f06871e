import { curl } from "./curl.ts";
import { go } from "./go.ts";
import { java } from "./java.ts";
import { playwright } from "./playwright.ts";
import { puppeteer } from "./puppeteer.ts";
import { python } from "./python.ts";
import { selenium } from "./selenium.ts";
import { typescript } from "./typescript.ts";
import type { Way } from "./way.ts";

/** In the order of the page; the first is what somebody sees who has chosen none. */
export const WAYS: readonly [Way, ...Way[]] = [curl, puppeteer, playwright, selenium, typescript, python, go, java];
