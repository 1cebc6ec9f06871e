import { expect, test } from "vitest";
import { startFakeService } from "../../../test/support/servers/fake-service.ts";
import { newPageUser, signUp } from "../../../test/support/pages/page-user.ts";

test("an unknown URL returns a page to web browsers, and the API's error to other clients", async () => {
  await using fake = await startFakeService();
  const { status, text } = await newPageUser(fake.service.url).get("/nothing<script>");
  expect([status, text]).toEqual([404, expect.stringContaining("Page not found")]);
  expect(text).not.toContain("<script>");
  const answer = await fetch(new URL("/nothing", fake.service.url));
  expect([answer.status, await answer.json()]).toEqual([404, expect.objectContaining({ name: "NotFound" })]);
});

test.each([
  ["/nothing", 404],
  ["/operator", 404],
  ["/dashboard/history?before=x", 400],
  ["/dashboard/usage?month=x", 400],
])("the error page for %s shows the signed-in user", async (path, status) => {
  await using fake = await startFakeService();
  const { url } = fake.service;
  const member = await signUp(url);
  const page = await member.get(path);
  expect([page.status, page.text]).toEqual([status, expect.stringContaining(member.email)]);
  expect(page.text).toContain("Sign out");
  expect(page.text).toContain('aria-label="Dashboard"');
  const visitor = await newPageUser(url).get("/nothing");
  expect([visitor.status, visitor.text]).toEqual([404, expect.stringContaining("Sign in")]);
  expect(visitor.text).not.toContain("Sign out");
});

test("the error page for a form from an ended session shows the signed-in user", async () => {
  await using fake = await startFakeService();
  const member = await signUp(fake.service.url);
  const page = await member.post("/dashboard/tokens", { name: "x", "form-token": "of another session" });
  expect([page.status, page.text]).toEqual([403, expect.stringContaining(member.email)]);
});

test("API paths never return a page", async () => {
  await using fake = await startFakeService();
  const { headers } = await newPageUser(fake.service.url).get("/api/v1/Browser/Get");
  expect(headers.get("content-type")).toContain("application/json");
});

test.each([
  ["/dashboard/", "/dashboard"],
  ["/Dashboard", "/dashboard"],
  ["/DASHBOARD/Quick-Start//?x=%2F", "/dashboard/quick-start?x=%2F"],
  ["/Sign-In?next=/dashboard", "/sign-in?next=/dashboard"],
  ["/operator/accounts/anId/", "/operator/accounts/anId"],
])("%s redirects to %s, the canonical address", async (path, location) => {
  for (const [settings, prefix] of [
    [{}, ""],
    [{ RBS_PUBLIC_URL: "http://127.0.0.1/eu" }, "/eu"],
  ] as const) {
    await using fake = await startFakeService(settings);
    const { status, headers } = await newPageUser(fake.service.url).get(prefix + path);
    expect([status, headers.get("location")]).toEqual([308, prefix + location]);
  }
});

test.each([
  "//evil.example/",
  "/\\evil.example/",
  "/%2fevil.example/",
  "/%5cevil.example/",
  "///",
  "/.//evil.example/",
  "/\u212Aeys/",
])("%s does not redirect to another site", async (path) => {
  await using fake = await startFakeService();
  const answer = await fetch(fake.service.url.origin + path, { headers: { Accept: "text/html" }, redirect: "manual" });
  expect([404, 200]).toContain(answer.status);
  expect(answer.headers.get("location")).toBeNull();
});

test("the public URL's path shows the start page, with or without a trailing slash", async () => {
  await using fake = await startFakeService({ RBS_PUBLIC_URL: "http://127.0.0.1/eu" });
  for (const path of ["/eu", "/eu/", "/EU", "/"]) {
    const { status, text } = await newPageUser(fake.service.url).get(path);
    expect([path, status]).toEqual([path, 200]);
    expect(text).toContain('href="/eu/sign-in"');
  }
});

test("the redirect to the sign-in page omits an overlong URL", async () => {
  await using fake = await startFakeService();
  const { status, headers } = await newPageUser(fake.service.url).get(`/dashboard?x=${"%20".repeat(2500)}`);
  expect([status, headers.get("location")]).toEqual([303, "/sign-in"]);
});
