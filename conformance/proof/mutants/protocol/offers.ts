import { type Fault, type Mutant, mutant } from "../../mutant.ts";
import { isFor, pathOf, refusal } from "../../faults/alter.ts";

/** Declares capabilities in the served contract, whatever the server offers. */
function declares(capabilities: unknown): Fault {
  return {
    async answer(request, next) {
      const response = await next(request);
      if (pathOf(request) !== "/openapi.json") return response;
      const contract = (await response.json()) as object;
      return new Response(JSON.stringify({ ...contract, "x-capabilities": capabilities }), response);
    },
  };
}

/** Faults in what a deployment declares as missing. The server offers everything. */
export const OFFER_MUTANTS: readonly Mutant[] = [
  mutant("offer-nothing", ["RBS-OFFER-01"], "The served contract has no capabilities", () => declares(undefined)),
  mutant("offer-words", ["RBS-OFFER-01"], "The served contract declares capabilities with words", () =>
    declares({ graphical: "yes" }),
  ),
  mutant("offer-desktop", ["RBS-OFFER-02"], "Without graphical browsers, remote desktops are still declared", () =>
    declares({ graphical: false, desktop: true, ai: true }),
  ),
  mutant("offer-graphical", ["RBS-OFFER-03"], "Graphical browsers are declared as missing, but can be opened", () =>
    declares({ graphical: false, desktop: false, ai: true }),
  ),
  mutant("offer-desktop-started", ["RBS-OFFER-04"], "Remote desktops are declared as missing, but start", () =>
    declares({ graphical: true, desktop: false, ai: true }),
  ),
  mutant("offer-ai-answered", ["RBS-OFFER-05"], "AI is declared as missing, and a query asks to be repeated", () => ({
    async answer(request, next) {
      if (!isFor(request, "queryAi")) return await (declares({ ai: false }).answer?.(request, next) ?? next(request));
      const answer = refusal("ProviderUnavailable");
      answer.headers.set("Retry-After", "1");
      return answer;
    },
  })),
];
