import { once } from "node:events";
import { connect } from "node:net";
import { text as readAll } from "node:stream/consumers";
import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { expect, test } from "vitest";
import { FakeClock } from "../../../../test/fakes/fake-clock.ts";
import { type DashboardRig, readTables, startDashboardRig } from "../../../../test/support/pages/dashboard-rig.ts";
import { newPageUser, PASSWORD, type PageUser, signIn } from "../../../../test/support/pages/page-user.ts";
import type { ServiceApp } from "../../../api/app.ts";
import { PageError } from "../../kit/errors.ts";
import { newGuards } from "../../kit/guards.ts";

const EMAIL = "anna@example.com";
const TYPE = "application/x-www-form-urlencoded";
/** Does nothing while the form's body is delayed. */
const NOTHING = async (): Promise<void> => {};

/**
 * Sends a form whose body arrives after `meanwhile` has run. @returns The response's status line and Location header.
 */
async function sendLate(
  rig: DashboardRig,
  user: PageUser,
  path: string,
  fields: Record<string, string>,
  meanwhile: () => Promise<unknown>,
): Promise<{ status: number; location: string | undefined }> {
  const { text } = await user.get("/dashboard/settings");
  const [, token = ""] = /name="form-token" value="([^"]+)"/.exec(text) ?? [];
  const body = new URLSearchParams({ "form-token": token, ...fields }).toString();
  const socket = connect(Number(rig.url.port), rig.url.hostname);
  await once(socket, "connect");
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: ${rig.url.host}`,
    `Origin: ${rig.url.origin}`,
    `Cookie: ${user.cookies()}`,
    `Content-Type: ${TYPE}`,
    `Content-Length: ${body.length}`,
    "Connection: close",
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n${body.slice(0, 1)}`);
  // By the time the server responds to a later request, it has started reading the form.
  await newPageUser(rig.url).get("/healthz");
  await meanwhile();
  socket.write(body.slice(1));
  const answer = await readAll(socket);
  const [, location] = /^location: (.*)\r$/im.exec(answer) ?? [];
  return { status: Number(answer.split(" ")[1]), location };
}

const TOKEN_FORM = { path: "/dashboard/tokens", fields: { name: "late" } };

test("a form whose body arrives late is accepted while the session lasts", async () => {
  await using rig = await startDashboardRig();
  const { user } = await rig.newMember(EMAIL);
  const { status } = await sendLate(rig, user, TOKEN_FORM.path, TOKEN_FORM.fields, NOTHING);
  expect(status).toBeLessThan(304);
  expect(JSON.stringify(readTables(rig)["tokens"])).toContain('"late"');
});

type Ending = (rig: DashboardRig, user: PageUser, id: string) => Promise<unknown>;

test.each<[string, Ending]>([
  ["has signed out", (_, user) => user.post("/sign-out")],
  [
    "has changed the password elsewhere",
    async (rig) => {
      const elsewhere = await signIn(rig.url, EMAIL, PASSWORD);
      await elsewhere.get("/dashboard/settings");
      const change = { "current-password": PASSWORD, "new-password": "quite another sentence" };
      expect((await elsewhere.post("/dashboard/settings/password", change)).status).toBe(303);
    },
  ],
  ["has been disabled", (rig, _, id) => rig.services.store.accounts.change(id, { isDisabled: true })],
])("a form changes nothing if its sender %s before the body arrived", async (_, end) => {
  await using rig = await startDashboardRig();
  const { user, id } = await rig.newMember(EMAIL);
  const sent = await sendLate(rig, user, TOKEN_FORM.path, TOKEN_FORM.fields, () => end(rig, user, id));
  expect(sent).toEqual({ status: 303, location: "/sign-in" });
  expect(JSON.stringify(readTables(rig)["tokens"])).not.toContain('"late"');
});

test("an operator's form changes nothing if the operator's rights were removed before the form's body arrived", async () => {
  await using rig = await startDashboardRig();
  const { user, id } = await rig.newMember(EMAIL, { isOperator: true });
  const { status } = await sendLate(rig, user, "/operator/accounts/new", { email: "new@example.com" }, () =>
    rig.services.store.accounts.change(id, { isOperator: false }),
  );
  expect(status).toBe(404);
  expect(JSON.stringify(readTables(rig)["accounts"])).not.toContain("new@example.com");
});

test("a form whose body doesn't arrive within 20 s is rejected, and the server stops waiting", async () => {
  const clock = new FakeClock();
  const app: ServiceApp = new Hono<{ Bindings: HttpBindings; Variables: { requestId: string } }>();
  app.onError((error, c) => c.text(error.message, error instanceof PageError ? error.status : 500));
  const guards = newGuards(app, {
    site: { pathPrefix: "", assets: "", isSignUpOpen: false, headers: {} },
    sessions: {} as Parameters<typeof newGuards>[1]["sessions"],
    cookie: { read: () => [], write() {}, clear() {} },
    addressGuard: { checkHost() {}, checkOrigin() {} },
    clock,
  });
  guards.anyone.post("/form", ({ c }) => c.text("taken"));
  let answer: Response | undefined;
  const init = {
    method: "POST",
    headers: { "Content-Type": TYPE },
    body: new ReadableStream(),
    duplex: "half",
  } as const;
  const response = Promise.resolve(app.request("/form", init)).then((given) => (answer = given));
  await clock.pass(19_999);
  expect(answer).toBeUndefined();
  await clock.pass(1);
  const { status } = await response;
  expect([status, await answer?.text()]).toEqual([400, expect.stringContaining("within 20 s")]);
  expect(clock.pending).toBe(0);
});
