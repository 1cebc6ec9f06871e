import { expect } from "vitest";
import { connectPlaywright } from "../../src/playwright.ts";
import { connectPuppeteer } from "../../src/puppeteer.ts";
import type { Play } from "./scene.ts";

const page = (title: string): string => `data:text/html,<title>${title}</title>`;

export const drive: Play = async (scene) => {
  await using browser = await scene.client().open({ headless: true, label: scene.label });

  const puppeteer = await connectPuppeteer(browser);
  const first = await puppeteer.newPage();
  await first.goto(page("Puppeteer"));
  expect(await first.title()).toBe("Puppeteer");
  // Pages keep the browser's size.
  expect(first.viewport()).toBeNull();
  await puppeteer.disconnect();

  const playwright = await connectPlaywright(browser);
  const [context] = playwright.contexts();
  const second = await context?.newPage();
  await second?.goto(page("Playwright"));
  expect(await second?.title()).toBe("Playwright");
  await playwright.close();
};
