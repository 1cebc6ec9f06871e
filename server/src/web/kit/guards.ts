import type { Context } from "hono";
import type { Account } from "../../domain/account/account.ts";
import type { ServiceApp } from "../../api/app.ts";
import { type Form, readForm } from "./form.ts";
import { isFormToken, TOKEN_FIELD } from "./form-token.ts";
import { PageError, pageNotFound, SignInNeeded } from "./errors.ts";
import { rememberContext, type UserContext, newUserContext, newPageContext, type PageContext } from "./page-context.ts";
import type { PageServices } from "./page-services.ts";

type Answer = Response | Promise<Response>;

/** Mounts pages that only users with access can open, and accepts forms only from this server's pages. */
export type Guards = {
  readonly anyone: Guard<PageContext>;
  /** Redirects signed-out users to the sign-in page, and back to the requested page after they sign in. */
  readonly user: Guard<UserContext>;
  /** Shows the page for unknown addresses to users who aren't operators. */
  readonly operator: Guard<UserContext>;
};

type Guard<Ctx> = {
  get(path: string, handler: (context: Ctx) => Answer): void;
  post(path: string, handler: (context: Ctx, form: Form) => Answer): void;
};

type GuardServices = Pick<PageServices, "site" | "sessions" | "cookie" | "addressGuard" | "clock">;

export function newGuards(app: ServiceApp, services: GuardServices): Guards {
  const { addressGuard, clock } = services;
  const toUser = async (c: Context): Promise<UserContext> => {
    const context = await findUser(c, services);
    if (context === undefined) throw new SignInNeeded("The session has ended.");
    return context;
  };
  const toOperator = async (c: Context): Promise<UserContext> => {
    const context = await toUser(c);
    if (!context.account.isOperator) throw pageNotFound();
    return context;
  };

  const newGuard = <Ctx extends PageContext>(enter: (c: Context) => Promise<Ctx>): Guard<Ctx> => ({
    get(path, handler) {
      app.get(path, async (c) => {
        addressGuard.checkHost(c);
        return handler(await enter(c));
      });
    },
    post(path, handler) {
      app.post(path, async (c) => {
        addressGuard.checkHost(c);
        addressGuard.checkOrigin(c);
        // Read the form first, because the session can end, or the user can lose access, while the body arrives.
        const form = await readForm(c, clock).catch(async (error: unknown) => {
          await findContext(c, services);
          throw error;
        });
        const context = await enter(c);
        checkToken(context, form);
        return handler(context, form);
      });
    },
  });
  return { anyone: newGuard((c) => findContext(c, services)), user: newGuard(toUser), operator: newGuard(toOperator) };
}

/** Returns the request's context, whether or not the user is signed in. */
export async function findContext(c: Context, services: GuardServices): Promise<PageContext> {
  return (await findUser(c, services)) ?? newPageContext(c, services.site);
}

async function findUser(c: Context, { site, sessions, cookie }: GuardServices): Promise<UserContext | undefined> {
  const alive: { secret: string; account: Account }[] = [];
  for (const secret of cookie.read(c)) {
    const account = await sessions.find(secret);
    if (account !== undefined) alive.push({ secret, account });
  }
  const [only, ...others] = alive;
  // Several valid sessions mean that another program on this host planted a cookie. Choosing a session could sign the
  // user in to the wrong account.
  if (only === undefined || others.length > 0) return undefined;
  const { secret, account } = only;
  const context = newUserContext(c, site, account, secret);
  rememberContext(context);
  return context;
}

/** Checks a signed-in user's form token. Signed-out users need no token: no other site can act on their behalf. */
function checkToken(context: PageContext | UserContext, form: Form): void {
  if (!("secret" in context) || isFormToken(form.text(TOKEN_FIELD), context.secret)) return;
  throw new PageError(
    403,
    "This form has expired",
    "The form belongs to a session that has ended. Reload the page and submit the form again.",
  );
}
