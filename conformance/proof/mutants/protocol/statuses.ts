import { type Mutant, mutant } from "../../mutant.ts";
import { failing, onAnswer, onFailure } from "../../faults/alter.ts";

/** HTTP statuses that differ from the contract's, with bodies that match them. */
export const STATUS_MUTANTS: readonly Mutant[] = [
  mutant("status-open-201", ["RBS-OPEN-01", "RBS-ANSWER-04"], "Open returns 201", () =>
    onAnswer("openBrowser", ({ status, body }) => (status === 200 ? { status: 201, body } : {})),
  ),
  mutant("status-close-204", ["RBS-CLOSE-01", "RBS-ANSWER-01"], "Close returns 204 without a body", () =>
    onAnswer("closeBrowser", ({ status }) => (status === 200 ? { status: 204 } : {})),
  ),
  mutant("status-close-again-200", ["RBS-CLOSE-02"], "Close returns 200 for a closed browser", () =>
    onAnswer("closeBrowser", ({ status }) => (status === 404 ? { status: 200, body: { status: 200 } } : {})),
  ),
  mutant("status-content-422", ["RBS-OPEN-03", "RBS-ANSWER-04"], "An invalid request returns 422 instead of 400", () =>
    onFailure("BadRequest", ({ body }) => ({ status: 422, body: { ...body, status: 422 } })),
  ),
  mutant("status-token-403", ["RBS-AUTH-01", "RBS-AUTH-02"], "A missing or invalid token returns 403", () =>
    onFailure("AuthorizationError", ({ body }) => ({ status: 403, body: { ...body, status: 403 } })),
  ),
  mutant(
    "status-unknown-browser-410",
    ["RBS-CLOSE-06", "RBS-ANSWER-04", "RBS-FUZZ-02"],
    "A request for an unknown browser returns 410 instead of 404",
    () => onFailure("BrowserNotFound", ({ body }) => ({ status: 410, body: { ...body, status: 410 } })),
  ),
  mutant("status-stop-500", ["RBS-DESKTOP-10", "RBS-FUZZ-01"], "Stop fails with 500 for an unknown browser", () =>
    onAnswer("stopRemoteDesktop", ({ status, body }) =>
      status === 404 ? { status: 500, body: { ...body, status: 0, name: "Unknown" } } : {},
    ),
  ),
  mutant("status-headless-404", ["RBS-DESKTOP-09"], "Start returns 404 instead of 409 for a headless browser", () =>
    onFailure("DesktopUnavailable", ({ body }) => failing("BrowserNotFound", body)),
  ),
  mutant(
    "status-limit-429",
    ["RBS-LIMIT-01", "RBS-ANSWER-10"],
    "Open returns 429 instead of 404 at the parallel limit",
    () =>
      // The suite doesn't retry if Retry-After is missing.
      onFailure("BrowserLimit", ({ body }) => failing("TooManyRequests", body)),
  ),
  mutant("status-units-402", ["RBS-UNITS-01"], "Without units, requests fail with NoSubscription", () =>
    onFailure("NoUnits", ({ body }) => failing("NoSubscription", body)),
  ),
  mutant("status-subscription-403", ["RBS-SUB-01"], "Without a subscription, requests fail with NoUnits", () =>
    onFailure("NoSubscription", ({ body }) => failing("NoUnits", body)),
  ),
  mutant("status-body-says-0", ["RBS-ANSWER-02", "RBS-ANSWER-05"], "A successful response's status member is 0", () =>
    onAnswer("*", ({ status, body }) => (status === 200 && "status" in body ? { body: { ...body, status: 0 } } : {})),
  ),
  mutant("status-body-differs", ["RBS-ANSWER-03", "RBS-ANSWER-05"], "The status member of an error is always 400", () =>
    onAnswer("*", ({ status, body }) => (status > 400 ? { body: { ...body, status: 400 } } : {})),
  ),
];
