import type { Context } from "hono";
import type { Account } from "../../domain/account/account.ts";
import type { ServiceApp } from "../../api/app.ts";
import type { Clock } from "../../ports/clock.ts";
import { type Form, readForm } from "./form.ts";
import { isFormToken, TOKEN_FIELD } from "./form-token.ts";
import { PageRefusal } from "./page-refusal.ts";
import type { SessionCookie } from "./session-cookie.ts";
import type { AddressGuard } from "./address-guard.ts";
import type { Sessions } from "../../services/accounts/sessions.ts";
import {
  rememberContext,
  type MemberContext,
  newMemberContext,
  newPageContext,
  type PageSite,
  type PageContext,
} from "./page-context.ts";

type Answer = Response | Promise<Response>;

/** How pages are put on an app: for everybody, for who is signed in, for operators. What is posted is always a form of ours. */
export type Guards = {
  readonly anyone: Guard<PageContext>;
  /** Who is not signed in is sent to do so, and then back. */
  readonly member: Guard<MemberContext>;
  /** For all others there is nothing here. */
  readonly operator: Guard<MemberContext>;
};

export type Guard<Visitor> = {
  get(path: string, handler: (context: Visitor) => Answer): void;
  post(path: string, handler: (context: Visitor, form: Form) => Answer): void;
};

export type GuardNeeds = {
  readonly site: PageSite;
  readonly sessions: Sessions;
  readonly cookie: SessionCookie;
  readonly addressGuard: AddressGuard;
  readonly clock: Pick<Clock, "after">;
};

/** Somebody has to sign in first. */
export class SignInNeeded extends Error {
  override readonly name = "SignInNeeded";
}

export function newGuards(app: ServiceApp, needs: GuardNeeds): Guards {
  const { addressGuard: wayIn, clock } = needs;
  const toMember = async (c: Context): Promise<MemberContext> => {
    const context = await findMember(c, needs);
    if (context === undefined) throw new SignInNeeded("The session has ended.");
    return context;
  };
  const toOperator = async (c: Context): Promise<MemberContext> => {
    const context = await toMember(c);
    if (!context.account.isOperator) throw nothingHere();
    return context;
  };

  const newGuard = <Visitor extends PageContext>(enter: (c: Context) => Promise<Visitor>): Guard<Visitor> => ({
    get(path, handler) {
      app.get(path, async (c) => {
        wayIn.checkHost(c);
        return handler(await enter(c));
      });
    },
    post(path, handler) {
      app.post(path, async (c) => {
        wayIn.checkHost(c);
        wayIn.checkOrigin(c);
        // Read first: by the time that all of it is here, a session may have ended, and rights may be gone.
        const form = await readForm(c, clock).catch(async (error: unknown) => {
          await findContext(c, needs);
          throw error;
        });
        const context = await enter(c);
        checkToken(context, form);
        return handler(context, form);
      });
    },
  });
  return { anyone: newGuard((c) => findContext(c, needs)), member: newGuard(toMember), operator: newGuard(toOperator) };
}

/** The visit of whoever it is, signed in or not. */
export async function findContext(c: Context, needs: GuardNeeds): Promise<PageContext> {
  return (await findMember(c, needs)) ?? newPageContext(c, needs.site);
}

async function findMember(c: Context, { site, sessions, cookie }: GuardNeeds): Promise<MemberContext | undefined> {
  const living: { secret: string; account: Account }[] = [];
  for (const secret of cookie.read(c)) {
    const account = await sessions.find(secret);
    if (account !== undefined) living.push({ secret, account });
  }
  const [only, ...others] = living;
  // One of several was planted by a neighbour on this host, and nobody can tell which: the person would go on as somebody else.
  if (only === undefined || others.length > 0) return undefined;
  const { secret, account } = only;
  const context = newMemberContext(c, site, account, secret);
  rememberContext(context);
  return context;
}

/** Who is not signed in has nothing that another site could do in their name. */
function checkToken(context: PageContext | MemberContext, form: Form): void {
  if (!("secret" in context) || isFormToken(form.text(TOKEN_FIELD), context.secret)) return;
  throw new PageRefusal(
    403,
    "An old form",
    "This form belongs to a session that has ended: reload the page and send it again.",
  );
}

/** For unknown pages, and in the same words for those that are kept from who asks: nobody learns of them. */
export function nothingHere(): PageRefusal {
  return new PageRefusal(404, "Nothing here", "There is no page at this address: it is mistyped, or is no more.");
}
