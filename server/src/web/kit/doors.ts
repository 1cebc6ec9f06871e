import type { Context } from "hono";
import type { Account } from "../../domain/account/account.ts";
import type { ServiceApp } from "../../api/service.ts";
import { type Form, readForm } from "./form.ts";
import { isFormToken, TOKEN_FIELD } from "./form-token.ts";
import { PageRefusal } from "./page-refusal.ts";
import type { SessionCookie } from "./session-cookie.ts";
import type { WayIn } from "./way-in.ts";
import type { Sessions } from "../../services/accounts/sessions.ts";
import { keepVisit, type MemberVisit, newMemberVisit, newVisit, type PageSite, type Visit } from "./visit.ts";

type Answer = Response | Promise<Response>;

/** How pages are put on an app: for everybody, for who is signed in, for operators. What is posted is always a form of ours. */
export type Doors = {
  readonly anyone: Door<Visit>;
  /** Who is not signed in is sent to do so, and then back. */
  readonly member: Door<MemberVisit>;
  /** For all others there is nothing here. */
  readonly operator: Door<MemberVisit>;
};

export type Door<Visitor> = {
  get(path: string, handler: (visit: Visitor) => Answer): void;
  post(path: string, handler: (visit: Visitor, form: Form) => Answer): void;
};

export type DoorNeeds = {
  readonly site: PageSite;
  readonly sessions: Sessions;
  readonly cookie: SessionCookie;
  readonly wayIn: WayIn;
  readonly after: (delayMs: number, call: () => void) => () => void;
};

/** Somebody has to sign in first. */
export class SignInNeeded extends Error {
  override readonly name = "SignInNeeded";
}

export function newDoors(app: ServiceApp, needs: DoorNeeds): Doors {
  const { wayIn, after } = needs;
  const toMember = async (c: Context): Promise<MemberVisit> => {
    const visit = await findMember(c, needs);
    if (visit === undefined) throw new SignInNeeded("The session has ended.");
    return visit;
  };
  const toOperator = async (c: Context): Promise<MemberVisit> => {
    const visit = await toMember(c);
    if (!visit.account.isOperator) throw nothingHere();
    return visit;
  };

  const newDoor = <Visitor extends Visit>(enter: (c: Context) => Promise<Visitor>): Door<Visitor> => ({
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
        const form = await readForm(c, after).catch(async (error: unknown) => {
          await findVisit(c, needs);
          throw error;
        });
        const visit = await enter(c);
        checkToken(visit, form);
        return handler(visit, form);
      });
    },
  });
  return { anyone: newDoor((c) => findVisit(c, needs)), member: newDoor(toMember), operator: newDoor(toOperator) };
}

/** The visit of whoever it is, signed in or not. */
export async function findVisit(c: Context, needs: DoorNeeds): Promise<Visit> {
  return (await findMember(c, needs)) ?? newVisit(c, needs.site);
}

async function findMember(c: Context, { site, sessions, cookie }: DoorNeeds): Promise<MemberVisit | undefined> {
  const living: { secret: string; account: Account }[] = [];
  for (const secret of cookie.read(c)) {
    const account = await sessions.find(secret);
    if (account !== undefined) living.push({ secret, account });
  }
  const [only, ...others] = living;
  // One of several was planted by a neighbour on this host, and nobody can tell which: the person would go on as somebody else.
  if (only === undefined || others.length > 0) return undefined;
  const { secret, account } = only;
  const visit = newMemberVisit(c, site, account, secret);
  keepVisit(visit);
  return visit;
}

/** Who is not signed in has nothing that another site could do in their name. */
function checkToken(visit: Visit | MemberVisit, form: Form): void {
  if (!("secret" in visit) || isFormToken(form.text(TOKEN_FIELD), visit.secret)) return;
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
