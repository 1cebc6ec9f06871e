import { readFileSync } from "node:fs";
import { env } from "node:process";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";

const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");
const NARROW = 390;
const WIDTHS = [1280, NARROW] as const;
const HEIGHT = 900;
const SCHEMES = ["light", "dark"] as const;

/**
 * Skips transitions between color schemes. Scripts are notified of a new scheme in the next frame. Infinite animations
 * can't be finished.
 */
const SETTLE = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))).then(() => {
  for (const each of document.getAnimations())
    if (Number.isFinite(each.effect?.getComputedTiming().endTime)) each.finish();
})`;

/** An accessibility problem on a page. */
export type Problem = {
  /** The page's name, color scheme and width. */
  readonly where: string;
  readonly what: string;
  readonly at: readonly string[];
};

type Violation = { readonly id: string; readonly impact: string; readonly nodes: readonly string[] };

/**
 * Checks a page in its current state: wide in both color schemes, and narrow. Leaves the page wide and in the light
 * color scheme.
 * @param name Used in the names of screenshots, which are saved in the folder that the SHOTS variable specifies.
 * @param options.isSeriousOnly For pages with third-party content.
 * @returns Violations that axe finds, and widths at which the page overflows.
 */
export async function checkPage(page: Page, name: string, { isSeriousOnly = false } = {}): Promise<Problem[]> {
  if ((await page.evaluate("typeof axe")) === "undefined") await page.evaluate(AXE);
  const problems: Problem[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    for (const colorScheme of SCHEMES) {
      // Colors don't depend on the width.
      if (colorScheme === "dark" && width === NARROW && env["SHOTS"] === undefined) continue;
      const where = `${name}-${colorScheme}-${width}`;
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.evaluate(SETTLE);
      if (env["SHOTS"] !== undefined) await page.screenshot({ path: `${env["SHOTS"]}/${where}.png`, fullPage: true });
      for (const { id, impact, nodes } of await findViolations(page, colorScheme === "dark")) {
        if (!isSeriousOnly || impact === "serious" || impact === "critical")
          problems.push({ where, what: id, at: nodes });
      }
      const tooWide = Number(await page.evaluate("Math.max(0, document.documentElement.scrollWidth - innerWidth)"));
      if (tooWide !== 0) problems.push({ where, what: `is ${tooWide} px too wide`, at: [page.url()] });
    }
  }
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await page.setViewportSize({ width: WIDTHS[0], height: HEIGHT });
  return problems;
}

/** @param isColorsOnly Checks only colors, because everything else is the same in both color schemes. */
async function findViolations(page: Page, isColorsOnly: boolean): Promise<Violation[]> {
  const options = isColorsOnly ? { runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] } } : {};
  return (await page.evaluate(`axe.run(${JSON.stringify(options)}).then(({ violations }) => violations.map(
    ({ id, impact, nodes }) => ({ id, impact, nodes: nodes.map(({ html }) => html) })))`)) as Violation[];
}
