import { type Mutant, mutant } from "../../mutant.ts";
import { onAnswer } from "../../faults/alter.ts";

/** Faults in the restrictions on access from other sites' pages. */
export const WEB_MUTANTS: readonly Mutant[] = [
  mutant("web-cors-any", ["RBS-WEB-01"], "Any site may read responses", () =>
    onAnswer("*", () => ({ headers: { "Access-Control-Allow-Origin": "*" } })),
  ),
  mutant("web-cors-mirror", ["RBS-WEB-01"], "CORS headers allow the site that sends the request", () =>
    onAnswer("*", (_, request) => ({
      headers: { "Access-Control-Allow-Origin": request.headers.get("origin") ?? undefined },
    })),
  ),
  mutant("web-devtools-any-origin", ["RBS-WEB-02"], "Any site's pages may connect to a browser", () => ({
    handshake: (head) => (head.includes("/devtools/") ? head.replace(/^origin:.*\r\n/im, "") : head),
  })),
  mutant("web-desktop-any-origin", ["RBS-WEB-03"], "Any site's pages may connect to a desktop", () => ({
    handshake: (head) => (head.includes("/devtools/") ? head : head.replace(/^origin:.*\r\n/im, "")),
  })),
  mutant("web-any-host", ["RBS-WEB-04"], "A handshake with any host name is accepted", () => ({
    handshake: (head) => head.replace(/^host:.*\r\n/im, "Host: localhost\r\n"),
  })),
];
