import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { type FakeService, startFakeService } from "../servers/fake-service.ts";
import { type PageUser, type PageResponse, signIn } from "./page-user.ts";

/** A signed-in user whose account the operator created. */
type Member = { readonly user: PageUser; readonly password: string; readonly token: string };

/** A server whose operator has opened the operator page. */
export type OperatorRig = AsyncDisposable & {
  readonly fake: FakeService;
  readonly url: URL;
  readonly operator: PageUser;
  /** Finds the path of an account's page in the account list. */
  findPath(email: string): Promise<string>;
  /** Opens an account's page and submits one of its forms, with the operator's password. */
  act(email: string, action: string, fields?: Record<string, string>): Promise<PageResponse>;
  newUser(plan?: string): Promise<Member>;
  /** Creates a user with a subscription and an open browser. */
  newMember(): Promise<Member & { readonly address: string }>;
  /** Opens a browser. @returns Its address. */
  open(token: string, options?: object): Promise<string>;
  /** Tries to open another browser. @returns The error's name. */
  refusedOpen(token: string): Promise<unknown>;
  /** Sends a request with a token. @returns The response's status. */
  call(token: string): Promise<number>;
  /** Returns the account's open browsers, as the API lists them. */
  listed(token: string): Promise<unknown>;
};

export async function startOperatorRig(): Promise<OperatorRig> {
  const fake = await startFakeService({ RBS_EGRESS: "any", RBS_FIRST_ACCOUNT_EMAIL: "operator@localhost" });
  const { url, firstAccount } = fake.service;
  const operator = await signIn(url, firstAccount?.email ?? "", firstAccount?.password ?? "");
  const authorize = (token: string) => ({ Authorization: `Bearer ${token}`, "Content-Type": "application/json" });
  const post = (token: string, options: object) =>
    fake.send("POST", "/api/v1/Browser/Open", JSON.stringify(options), authorize(token));
  const get = (token: string) =>
    fake.send("GET", "/api/v1/Browser/Get", undefined, { Authorization: `Bearer ${token}` });
  const rig: Omit<OperatorRig, typeof Symbol.asyncDispose> = {
    fake,
    url,
    operator,
    async findPath(email) {
      const { text } = await operator.get(`/operator?search=${encodeURIComponent(email)}`);
      return toAccountPath(text) ?? `${email} isn't in the list`;
    },
    async act(email, action, fields = {}) {
      const path = await rig.findPath(email);
      await operator.get(path);
      return operator.post(`${path}/${action}`, { password: firstAccount?.password ?? "", ...fields });
    },
    async newUser(plan = "none") {
      const email = `${randomUUID()}@example.com`;
      await operator.get("/operator/accounts/new");
      const made = await operator.post("/operator/accounts/new", { email, plan });
      const password = readSecret(made);
      return { user: await signIn(url, email, password), password, token: readSecret(made, "rbs_") };
    },
    async newMember() {
      const made = await rig.newUser("self-hosted");
      return { ...made, address: await rig.open(made.token) };
    },
    async open(token, options = {}) {
      const answer = await post(token, { Headless: true, ...options });
      expect(answer).toMatchObject({ status: 200, body: { status: 200 } });
      return String(answer.body["address"]);
    },
    refusedOpen: async (token) => (await post(token, {})).body["name"],
    call: async (token) => (await get(token)).status,
    listed: async (token) => (await get(token)).body["sessions"],
  };
  return { ...rig, [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose]() };
}

/** Returns the path of the first account in the page's list of accounts. */
function toAccountPath(text: string): string | undefined {
  return /id="accounts"[^]*?href="(\/operator\/accounts\/(?!new)[\w-]+)"/.exec(text)?.[1];
}

/** Reads a secret from a page. @param prefix The secret's first characters. */
export function readSecret({ text }: PageResponse, prefix = ""): string {
  const secrets = [...text.matchAll(/<code class="secret">([^<]+)</g)].map(([, secret]) => secret ?? "");
  return secrets.find((secret) => secret.startsWith(prefix)) ?? `No secret in ${text}`;
}
