import { connect } from "node:net";
import { once } from "node:events";
import { text as readAll } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type DashboardRig,
  pagesOf,
  readTables,
  startDashboardRig,
} from "../../../../test/support/pages/dashboard-rig.ts";
import { newPageUser, PASSWORD, type PageUser } from "../../../../test/support/pages/page-user.ts";

const TYPE = "application/x-www-form-urlencoded";
const MAX_BYTES = 65_536;

let rig: DashboardRig;
let user: PageUser;

beforeAll(async () => {
  rig = await startDashboardRig();
  ({ user } = await rig.newMember("anna@example.com", { isOperator: true }));
});
afterAll(() => rig[Symbol.asyncDispose]());

function send(
  path: string,
  body: string | Buffer | undefined,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(new URL(path, rig.url), {
    method: "POST",
    redirect: "manual",
    headers: { Origin: rig.url.origin, Cookie: user.cookies(), "Content-Type": TYPE, ...headers },
    ...(body === undefined ? {} : { body }),
  });
}

const allForms = (): string[] => pagesOf(rig, "POST").map((route) => route.replaceAll(/:\w+/g, "x"));

test.each([
  ["multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data; name=email\r\n\r\na@b\r\n--x--\r\n"],
  ["application/json", '{"email":"a@b"}'],
  ["text/plain", "email=a@b"],
  ["application/x-www-form-urlencoded-not", "email=a@b"],
  ["", "email=a@b"],
])("every form rejects a body of type %j", async (type, body) => {
  const before = readTables(rig);
  for (const path of allForms())
    expect([path, (await send(path, body, { "Content-Type": type })).status]).toEqual([path, 415]);
  expect(readTables(rig)).toEqual(before);
});

test("every form accepts 64 KiB and rejects larger bodies", async () => {
  const before = readTables(rig);
  const body = (bytes: number): string => `x=${"a".repeat(bytes - 2)}`;
  for (const path of allForms()) {
    // Without a form token, submitting the form has no effect.
    expect([path, (await send(path, body(MAX_BYTES))).status]).toEqual([path, 403]);
    const tooLarge = await send(path, body(MAX_BYTES + 1));
    expect([path, tooLarge.status]).toEqual([path, 413]);
    expect(await tooLarge.text()).toContain("up to 65536 bytes");
  }
  expect(readTables(rig)).toEqual(before);
});

test("a large body of unknown length is rejected before it is complete", async () => {
  const socket = connect(Number(rig.url.port), rig.url.hostname);
  await once(socket, "connect");
  const head = [
    "POST /sign-in HTTP/1.1",
    `Host: ${rig.url.host}`,
    `Origin: ${rig.url.origin}`,
    `Content-Type: ${TYPE}`,
    "Transfer-Encoding: chunked",
    "Connection: close",
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  // The body never ends.
  socket.write(`20000\r\n${"a".repeat(0x20000)}\r\n`);
  expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 413 /);
});

describe.each([
  ["bad percent encodings", "email=%&password=%zz%1"],
  ["invalid UTF-8", "email=%ff%fe%c0%80&password=%ed%a0%80"],
  ["NUL", "email=a%00b%40example.com&password=%00%00%00%00%00%00%00%00%00%00%00%00%00"],
  ["lone surrogates", "email=%ED%A0%80%40example.com&password=%ED%BF%BF%ED%BF%BF%ED%BF%BF%ED%BF%BF%ED%BF%BF"],
  ["thousands of fields", Array.from({ length: 5_000 }, (_, index) => `f=${index}`).join("&")],
  ["fields without names", "=a&=b&&&==="],
  ["nothing at all", ""],
  ["names of an object's own properties", "__proto__=x&constructor=y&toString=z"],
  ["characters that become longer when normalized", `email=a%40b.example&password=${"\uFDFA".repeat(20_000)}`],
])("a form with %s", (_, body) => {
  test.each(["/sign-in", "/sign-up"])("sent to %s returns a page that explains the error", async (path) => {
    const answer = await send(path, body, { Cookie: "" });
    expect([path, answer.status, answer.headers.getSetCookie()]).toEqual([path, path === "/sign-in" ? 401 : 400, []]);
    expect(await answer.text()).toContain('role="alert"');
  });

  test("changes no settings", async () => {
    const before = readTables(rig);
    for (const path of allForms().filter((one) => one.startsWith("/dashboard")))
      expect([path, (await send(path, body)).status]).toEqual([path, 403]);
    expect(readTables(rig)).toEqual(before);
  });
});

test("a repeated field's last value is used, even for the form token", async () => {
  const fields = "additional-units=on&form-token=x";
  const page = await user.get("/dashboard/settings");
  const [, token = ""] = /name="form-token" value="([^"]+)"/.exec(page.text) ?? [];
  expect((await send("/dashboard/settings/additional-units", `form-token=${token}&${fields}`)).status).toBe(403);
  expect((await send("/dashboard/settings/additional-units", `${fields}&form-token=${token}`)).status).toBe(303);
});

test("a client that disconnects while sending a form causes no server error", async () => {
  const socket = connect(Number(rig.url.port), rig.url.hostname);
  await once(socket, "connect");
  const head = [
    "POST /sign-in HTTP/1.1",
    `Host: ${rig.url.host}`,
    `Origin: ${rig.url.origin}`,
    `Content-Type: ${TYPE}`,
  ];
  socket.write(`${[...head, "Content-Length: 1000"].join("\r\n")}\r\n\r\nemail=a`);
  const { promise, resolve } = Promise.withResolvers<void>();
  const push = rig.log.lines.push.bind(rig.log.lines);
  rig.log.lines.push = (...lines) => {
    if (lines.some(({ event }) => event === "request.abandoned" || event === "page.failed")) resolve();
    return push(...lines);
  };
  // Once the server responds to a later request, it has started reading the form.
  await newPageUser(rig.url).get("/healthz");
  socket.destroy();
  await promise;
  expect(rig.log.lines.filter(({ event }) => event === "page.failed")).toEqual([]);
});

test("a page's headers forbid third-party content and caching", async () => {
  for (const path of [
    "/",
    "/sign-in",
    "/sign-up",
    "/dashboard",
    "/dashboard/settings",
    "/account-deleted",
    "/dashboard/nowhere/x",
  ]) {
    const { headers } = await (path.startsWith("/dashboard") ? user : newPageUser(rig.url)).get(path);
    if (headers.get("content-type")?.startsWith("text/html") !== true) continue;
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
    expect(policy).toMatch(/base-uri 'none'; frame-ancestors 'none'$/);
    expect(policy).not.toMatch(/unsafe|\*|data:/);
    expect(Object.fromEntries(headers)).toMatchObject({
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "same-origin",
    });
  }
});

test("the log contains no form values", async () => {
  await newPageUser(rig.url).post("/sign-in", { email: "canary-email@example.com", password: "canary-password-x" });
  await newPageUser(rig.url).post("/sign-up", { email: "canary-email@example.com", password: "canary" });
  await newPageUser(rig.url).post("/sign-up", { email: "canary-email@example.com", password: PASSWORD });
  expect(rig.log.text()).not.toMatch(/canary|sentence/);
});
