import { AccountError } from "../../../services/accounts/errors.ts";
import { orAccountError } from "../../kit/errors.ts";
import { toApiUrl } from "../../kit/format.ts";
import type { Guards } from "../../kit/guards.ts";
import type { UserContext } from "../../kit/page-context.ts";
import { renderNewToken, renderTokens, type TokensShown } from "./tokens-view.ts";
import type { PageServices } from "../../kit/page-services.ts";

const PATH = "/dashboard/tokens";

/**
 * Mounts the page with the account's API tokens. The response to the form contains the new token, because showing the
 * token after a redirect would require storing it in plain text.
 */
export function mountTokens({ user }: Guards, { tokens, baseOf, now }: PageServices): void {
  const show = async (context: UserContext, shown: Partial<TokensShown>, status: 200 | 400 | 404 = 200) => {
    const entries = await tokens.list(context.account);
    const main = renderTokens(context.frame, { name: "", entries, now: now(), ...shown });
    return context.show({ title: "Tokens", current: PATH, main, styles: ["dashboard/tokens/tokens.css"] }, status);
  };
  const showNew = (context: UserContext, token: string, lead: string) => {
    const main = renderNewToken(context.frame, { token, lead, url: toApiUrl(baseOf(context.c)) });
    const styles = ["dashboard/tokens/tokens.css", "kit/static/code-block.css"];
    return context.show({
      title: "New token",
      current: PATH,
      main,
      styles,
      scripts: ["dashboard/tokens/new-token.js"],
    });
  };

  user.get(PATH, (context) => show(context, { done: context.c.req.query("done") }));

  user.post(PATH, async (context, form) => {
    const name = form.text("name");
    const made = await orAccountError(tokens.add(context.account, name));
    if (made instanceof AccountError) return show(context, { name, fault: made.message }, 400);
    return showNew(context, made, "Your programs can use it immediately.");
  });

  user.post(`${PATH}/renew`, async (context, form) => {
    const made = await orAccountError(tokens.renew(context.account, form.text("id"), form.text("prefix")));
    if (made instanceof AccountError) return show(context, { refusal: made.message }, 404);
    return showNew(context, made, "The previous token no longer works. Update your programs to use the new one.");
  });

  user.post(`${PATH}/revoke`, async (context, form) => {
    const refusal = await orAccountError(tokens.revoke(context.account, form.text("id")));
    if (refusal instanceof AccountError) return show(context, { refusal: refusal.message }, 404);
    return context.goTo(`${PATH}?done=revoked`);
  });

  // The address bar shows these paths after a form submission. Opening them redirects to the list.
  for (const action of ["renew", "revoke"]) user.get(`${PATH}/${action}`, (context) => context.goTo(PATH));
}
