import { Hono } from "hono";
import { expect, test } from "vitest";
import { PageError } from "./errors.ts";
import { newAddressGuard } from "./address-guard.ts";

const PUBLIC_URL = new URL("https://browsers.example");

/** What the page is refused with; undefined: it is shown. */
async function refusalOf(host: string, isInClear: boolean): Promise<Error | undefined> {
  let refusal: Error | undefined;
  const app = new Hono();
  app.onError((error, c) => {
    refusal = error;
    return c.body(null, 500);
  });
  const wayIn = newAddressGuard(PUBLIC_URL, () => isInClear);
  app.get("/sign-in", (c) => {
    wayIn.checkHost(c);
    return c.body(null);
  });
  await app.request(`http://${host}/sign-in`);
  return refusal;
}

test("a page that came in clear to a proxy is refused, with the address and the header that decide", async () => {
  expect(await refusalOf(PUBLIC_URL.hostname, false)).toBeUndefined();
  const refusal = await refusalOf(PUBLIC_URL.hostname, true);
  expect(refusal).toBeInstanceOf(PageError);
  expect(refusal?.message).toContain(PUBLIC_URL.href);
  expect(refusal?.message).toContain("X-Forwarded-Proto: https");
});

test("a page under a name that is neither the public URL's nor this machine's is refused", async () => {
  expect(await refusalOf("localhost", false)).toBeUndefined();
  expect((await refusalOf("evil.example", false))?.message).toContain(`Open these pages at ${PUBLIC_URL.href}`);
});
