import type { Context } from "hono";
import type { Account } from "../../domain/account/account.ts";
import type { SessionCookie } from "./session-cookie.ts";
import type { Sessions } from "../../services/accounts/sessions.ts";

type Needs = { readonly sessions: Sessions; readonly cookie: SessionCookie };

/**
 * From now on the browser is the account's. Whatever sessions it had before end: nobody can have planted the one it goes on
 * with.
 */
export async function newSession(c: Context, account: Account, { sessions, cookie }: Needs): Promise<void> {
  for (const before of cookie.read(c)) await sessions.end(before);
  cookie.write(c, await sessions.begin(account));
}
