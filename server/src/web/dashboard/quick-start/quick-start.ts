import { toSubscription } from "../../../domain/account/account.ts";
import { toApiUrl } from "../../kit/format.ts";
import type { Guards } from "../../kit/guards.ts";
import { renderQuickStart, TOOLS } from "./quick-start-view.ts";
import type { PageServices } from "../../kit/page-services.ts";

const PATH = "/dashboard/quick-start";

/** Mounts the page with code that opens a browser. The code contains no token: the server stores only token hashes. */
export function mountQuickStart({ user }: Guards, { plans, tokens, baseOf }: PageServices): void {
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
