import type { Mutant } from "../mutant.ts";
import { onAnswer } from "./alter.ts";

/** Access from web pages of other sites. */
export const WEB_MUTANTS: readonly Mutant[] = [
  {
    id: "web-cors-any",
    title: "Pages of any site may read responses",
    killedBy: ["RBS-WEB-01"],
    fault: () => onAnswer("*", () => ({ headers: { "Access-Control-Allow-Origin": "*" } })),
  },
  {
    id: "web-cors-mirror",
    title: "CORS headers allow the site that sends the request",
    killedBy: ["RBS-WEB-01"],
    fault: () =>
      onAnswer("*", (_, request) => ({
        headers: { "Access-Control-Allow-Origin": request.headers.get("origin") ?? undefined },
      })),
  },
  {
    id: "web-devtools-any-origin",
    title: "Pages of any site may connect to a browser",
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
    title: "A handshake with any host name is accepted",
    killedBy: ["RBS-WEB-04"],
    fault: () => ({ handshake: (head) => head.replace(/^host:.*\r\n/im, "Host: localhost\r\n") }),
  },
];
