import { randomBytes } from "node:crypto";
import type { Account } from "../run/account.ts";
import { expectRefusal, expectSuccess } from "../run/expect.ts";
import type { RunOptions } from "../run/run-options.ts";

/** Every Browser operation but Open is answered as if the account had all it needs. */
export async function expectOthersWork(account: Account, { baseUrl }: RunOptions): Promise<void> {
  expectSuccess(await account.get());
  const address = `ws://${new URL(baseUrl).host}/devtools/browser/${randomBytes(24).toString("base64url")}`;
  expectRefusal(await account.close(address), "BrowserNotFound");
  expectRefusal(await account.startDesktop(address), "BrowserNotFound");
  expectRefusal(await account.stopDesktop(address), "BrowserNotFound");
}
