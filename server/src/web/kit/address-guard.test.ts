import { Hono } from "hono";
import { expect, test } from "vitest";
import { PageError } from "./errors.ts";
import { newAddressGuard } from "./address-guard.ts";

const PUBLIC_URL = new URL("https://browsers.example");

/** @returns Undefined if the page is shown. */
async function errorOf(host: string, isInClear: boolean): Promise<Error | undefined> {
  let thrown: Error | undefined;
  const app = new Hono();
  app.onError((error, c) => {
    thrown = error;
    return c.body(null, 500);
  });
  const guard = newAddressGuard(PUBLIC_URL, () => isInClear);
  app.get("/sign-in", (c) => {
    guard.checkHost(c);
    return c.body(null);
  });
  await app.request(`http://${host}/sign-in`);
  return thrown;
}

test("a page requested over plain HTTP is rejected; the error names the public URL and the header", async () => {
  expect(await errorOf(PUBLIC_URL.hostname, false)).toBeUndefined();
  const error = await errorOf(PUBLIC_URL.hostname, true);
  expect(error).toBeInstanceOf(PageError);
  expect(error?.message).toContain(PUBLIC_URL.href);
  expect(error?.message).toContain("X-Forwarded-Proto: https");
});

test("a page request is rejected unless its host is localhost or the public URL's host", async () => {
  expect(await errorOf("localhost", false)).toBeUndefined();
  expect((await errorOf("evil.example", false))?.message).toContain(`Open these pages at ${PUBLIC_URL.href}`);
});
