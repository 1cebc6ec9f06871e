import type { Context } from "hono";
import { toSubscription } from "../../../domain/account/account.ts";
import type { Plans } from "../../../domain/plan/plan.ts";
import type { Tokens } from "../../../services/accounts/tokens.ts";
import { toApiUrl } from "../../kit/format.ts";
import type { Guards } from "../../kit/guards.ts";
import { renderQuickStart, TOOLS } from "./quick-start-view.ts";

export type QuickStartNeeds = {
  readonly plans: Plans;
  readonly tokens: Tokens;
  /** The URL below which browsers' addresses are. */
  readonly baseOf: (c: Context) => URL;
};

const PATH = "/dashboard/quick-start";

/** Code to open a first browser with different tools. It never contains a token: the server stores only hashes. */
export function mountQuickStart({ user }: Guards, { plans, tokens, baseOf }: QuickStartNeeds): void {
  user.get(PATH, async (context) => {
    const { c, frame, account } = context;
    const toolId = c.req.query("with");
    const main = renderQuickStart(frame, {
      plan: toSubscription(account, plans)?.name,
      tokens: (await tokens.list(account)).length,
      url: toApiUrl(baseOf(c)),
      chosen: TOOLS.find(({ id }) => id === toolId) ?? TOOLS[0],
    });
    return context.show({
      title: "Quick start",
      current: PATH,
      main,
      styles: ["dashboard/quick-start/quick-start.css", "kit/static/code-block.css"],
    });
  });
}
