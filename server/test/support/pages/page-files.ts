import { expect } from "vitest";

/**
 * Asserts that a desktop's page loads files only from its own server, compressed and cacheable, and can't be used to
 * reach other files or sites.
 * @param loaded The URLs that the page loaded.
 * @param link The page's URL.
 */
export async function expectOwnFiles(loaded: readonly string[], link: string): Promise<void> {
  expect(loaded.filter((url) => new URL(url).origin !== new URL(link).origin)).toEqual([]);
  const script = loaded.find((url) => url.endsWith("/novnc/core/rfb.js")) ?? "";
  const { headers } = await fetch(script);
  expect([headers.get("cache-control"), headers.get("content-encoding"), headers.get("content-type")]).toEqual([
    "public, max-age=31536000, immutable",
    "gzip",
    "text/javascript; charset=utf-8",
  ]);
  const hidden = ["../package.json", "novnc/package.json", "tsconfig.json", "outcome.test.ts", "%2e%2e/%2e%2e/app.ts"];
  for (const path of hidden) {
    const answer = await fetch(script.replace("novnc/core/rfb.js", path));
    expect([path, answer.status]).toEqual([path, 404]);
  }
  const { headers: ofPage } = await fetch(link);
  expect(ofPage.get("content-security-policy")).toMatch(
    /^default-src 'none'; script-src 'self'; .*frame-ancestors 'self'$/,
  );
  expect([ofPage.get("referrer-policy"), ofPage.get("x-content-type-options"), ofPage.get("cache-control")]).toEqual([
    "no-referrer",
    "nosniff",
    "no-store",
  ]);
}
