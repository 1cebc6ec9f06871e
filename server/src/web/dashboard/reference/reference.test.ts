import { afterAll, beforeAll, expect, test } from "vitest";
import { type FakeService, startFakeService } from "../../../../test/support/servers/fake-service.ts";
import { newPageUser, signUp } from "../../../../test/support/pages/page-user.ts";

let fake: FakeService;
beforeAll(async () => {
  fake = await startFakeService();
});
afterAll(() => fake[Symbol.asyncDispose]());

test("the reference links to the tokens page, or to the sign-in page for visitors", async () => {
  const lead = (text: string): string => /<p class="lead">([^]*?)<\/p>/.exec(text)?.[1] ?? "";
  expect(lead((await (await signUp(fake.service.url)).get("/reference")).text)).toContain(`href="/dashboard/tokens"`);
  const forVisitors = lead((await newPageUser(fake.service.url).get("/reference")).text);
  expect(forVisitors).toContain(`href="/sign-in"`);
  expect(forVisitors).not.toContain(`href="/dashboard/tokens"`);
});
