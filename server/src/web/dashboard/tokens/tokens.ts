import type { Context } from "hono";
import { AccountError } from "../../../services/accounts/account-error.ts";
import type { Tokens } from "../../../services/accounts/tokens.ts";
import { toApiUrl } from "../../kit/api-url.ts";
import type { Doors } from "../../kit/doors.ts";
import { renderNewToken } from "./new-token-view.ts";
import { type TokensShown, renderTokens } from "./tokens-view.ts";
import type { MemberVisit } from "../../kit/visit.ts";

export type TokenNeeds = {
  readonly tokens: Tokens;
  /** What addresses that a person opens begin with. */
  readonly baseOf: (c: Context) => URL;
  readonly now: () => Date;
};

const PATH = "/dashboard/tokens";

/**
 * The account's API tokens. A new one stands in the answer to the form that asked for it, and nowhere else: to show it after a
 * redirect, it would have to be kept in clear.
 */
export function mountTokens({ member }: Doors, { tokens, baseOf, now }: TokenNeeds): void {
  const show = async (visit: MemberVisit, shown: Partial<TokensShown>, status: 200 | 400 | 404 = 200) => {
    const entries = await tokens.list(visit.account);
    const main = renderTokens(visit.frame, { name: "", entries, now: now(), ...shown });
    return visit.show({ title: "Tokens", current: PATH, main, styles: ["dashboard/tokens/tokens.css"] }, status);
  };
  const showNew = (visit: MemberVisit, token: string, lead: string) => {
    const main = renderNewToken(visit.frame, { token, lead, url: toApiUrl(baseOf(visit.c)) });
    const [styles, scripts] = [
      ["dashboard/tokens/tokens.css", "kit/code-block.css"],
      ["dashboard/tokens/new-token.js"],
    ];
    return visit.show({ title: "New token", current: PATH, main, styles, scripts });
  };

  member.get(PATH, (visit) => show(visit, { done: visit.c.req.query("done") }));

  member.post(PATH, async (visit, form) => {
    const name = form.text("name");
    const made = await tried(tokens.add(visit.account, name));
    if ("fault" in made) return show(visit, { name, fault: made.fault }, 400);
    return showNew(visit, made.result, "Your programs can use it from now on.");
  });

  member.post(`${PATH}/renew`, async (visit, form) => {
    const made = await tried(tokens.renew(visit.account, form.text("id"), form.text("prefix")));
    if ("fault" in made) return show(visit, { refusal: made.fault }, 404);
    return showNew(visit, made.result, "The one before it has stopped: give your programs this one.");
  });

  member.post(`${PATH}/revoke`, async (visit, form) => {
    const done = await tried(tokens.revoke(visit.account, form.text("id")));
    if ("fault" in done) return show(visit, { refusal: done.fault }, 404);
    return visit.goTo(`${PATH}?done=revoked`);
  });

  // Where the address bar leads to after one of these forms.
  for (const action of ["renew", "revoke"]) member.get(`${PATH}/${action}`, (visit) => visit.goTo(PATH));
}

/** What came of it, or what the person got wrong about it. */
async function tried<Result>(promise: Promise<Result>): Promise<{ result: Result } | { fault: string }> {
  try {
    return { result: await promise };
  } catch (error) {
    if (error instanceof AccountError) return { fault: error.message };
    throw error;
  }
}
