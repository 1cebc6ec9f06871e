import type { Mutant } from "../mutant.ts";
import { onAnswer } from "./alter.ts";

/** What pages of other sites may do. */
export const WEB_MUTANTS: readonly Mutant[] = [
  {
    id: "web-cors-any",
    title: "Pages of any site may read the answers",
    killedBy: ["RBS-WEB-01"],
    fault: () => onAnswer("*", () => ({ headers: { "Access-Control-Allow-Origin": "*" } })),
  },
  {
    id: "web-cors-mirror",
    title: "Whichever site asks is named as the one that may read the answer",
    killedBy: ["RBS-WEB-01"],
    fault: () =>
      onAnswer("*", (_, request) => ({
        headers: { "Access-Control-Allow-Origin": request.headers.get("origin") ?? undefined },
      })),
  },
  {
    id: "web-devtools-any-origin",
    title: "Pages of any site may drive a browser whose address they know",
    killedBy: ["RBS-WEB-02"],
    fault: () => ({
      handshake: (head) => (head.includes("/devtools/") ? head.replace(/^origin:.*\r\n/im, "") : head),
    }),
  },
  {
    id: "web-desktop-any-origin",
    title: "Pages of any site may connect to a desktop",
    killedBy: ["RBS-WEB-03"],
    fault: () => ({
      handshake: (head) => (head.includes("/devtools/") ? head : head.replace(/^origin:.*\r\n/im, "")),
    }),
  },
  {
    id: "web-any-host",
    title: "A handshake may be addressed to any host name",
    killedBy: ["RBS-WEB-04"],
    fault: () => ({ handshake: (head) => head.replace(/^host:.*\r\n/im, "Host: localhost\r\n") }),
  },
];
