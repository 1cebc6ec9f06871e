import type { Mutant } from "../mutant.ts";
import { onAnswer, onFailure } from "./alter.ts";

/** Other HTTP statuses than the contract's. The bodies match the status. */
export const STATUS_MUTANTS: readonly Mutant[] = [
  {
    id: "status-open-201",
    title: "Open answers 201",
    killedBy: ["RBS-OPEN-01", "RBS-ANSWER-04"],
    fault: () => onAnswer("openBrowser", ({ status, body }) => (status === 200 ? { status: 201, body } : {})),
  },
  {
    id: "status-close-204",
    title: "Close answers 204 without a body",
    killedBy: ["RBS-CLOSE-01", "RBS-ANSWER-01"],
    fault: () => onAnswer("closeBrowser", ({ status }) => (status === 200 ? { status: 204 } : {})),
  },
  {
    id: "status-close-again-200",
    title: "Close of a closed browser answers 200",
    killedBy: ["RBS-CLOSE-02"],
    fault: () =>
      onAnswer("closeBrowser", ({ status }) => (status === 404 ? { status: 200, body: { status: 200 } } : {})),
  },
  {
    id: "status-content-422",
    title: "An invalid request answers 422 instead of 400",
    killedBy: ["RBS-OPEN-03", "RBS-ANSWER-04"],
    fault: () => onFailure("BadRequest", ({ body }) => ({ status: 422, body: { ...body, status: 422 } })),
  },
  {
    id: "status-token-403",
    title: "A missing or wrong token answers 403 instead of 401",
    killedBy: ["RBS-AUTH-01", "RBS-AUTH-02"],
    fault: () => onFailure("AuthorizationError", ({ body }) => ({ status: 403, body: { ...body, status: 403 } })),
  },
  {
    id: "status-unknown-browser-410",
    title: "An unknown browser answers 410 instead of 404",
    killedBy: ["RBS-CLOSE-06", "RBS-ANSWER-04", "RBS-FUZZ-02"],
    fault: () => onFailure("BrowserNotFound", ({ body }) => ({ status: 410, body: { ...body, status: 410 } })),
  },
  {
    id: "status-stop-500",
    title: "Stop of an unknown browser fails with 500",
    killedBy: ["RBS-DESKTOP-10", "RBS-FUZZ-01"],
    fault: () =>
      onAnswer("stopRemoteDesktop", ({ status, body }) =>
        status === 404 ? { status: 500, body: { ...body, status: 0, name: "Unknown" } } : {},
      ),
  },
  {
    id: "status-headless-404",
    title: "Start on a headless browser answers 404 BrowserNotFound instead of 409",
    killedBy: ["RBS-DESKTOP-09"],
    fault: () =>
      onFailure("DesktopUnavailable", ({ body }) => ({
        status: 404,
        body: { ...body, status: 404, name: "BrowserNotFound" },
      })),
  },
  {
    id: "status-limit-429",
    title: "The parallel limit answers 429 instead of 404",
    killedBy: ["RBS-LIMIT-01", "RBS-ANSWER-10"],
    fault: () =>
      // Without Retry-After, so that the suite does not wait and try again.
      onFailure("BrowserLimit", ({ body }) => ({
        status: 429,
        body: { ...body, status: 429, name: "TooManyRequests" },
      })),
  },
  {
    id: "status-units-402",
    title: "An account without units gets NoSubscription",
    killedBy: ["RBS-UNITS-01"],
    fault: () =>
      onFailure("NoUnits", ({ body }) => ({ status: 402, body: { ...body, status: 402, name: "NoSubscription" } })),
  },
  {
    id: "status-subscription-403",
    title: "An account without a subscription gets NoUnits",
    killedBy: ["RBS-SUB-01"],
    fault: () =>
      onFailure("NoSubscription", ({ body }) => ({ status: 403, body: { ...body, status: 403, name: "NoUnits" } })),
  },
  {
    id: "status-body-says-0",
    title: "The member status of a success is 0",
    killedBy: ["RBS-ANSWER-02", "RBS-ANSWER-05"],
    fault: () =>
      onAnswer("*", ({ status, body }) => (status === 200 && "status" in body ? { body: { ...body, status: 0 } } : {})),
  },
  {
    id: "status-body-differs",
    title: "The member status of an error is always 400",
    killedBy: ["RBS-ANSWER-03", "RBS-ANSWER-05"],
    fault: () => onAnswer("*", ({ status, body }) => (status > 400 ? { body: { ...body, status: 400 } } : {})),
  },
];
