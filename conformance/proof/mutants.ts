import type { Mutant } from "./mutant.ts";
import { ADDRESS_MUTANTS } from "./mutants/addresses.ts";
import { BODY_MUTANTS } from "./mutants/bodies.ts";
import { CLOSE_MUTANTS } from "./mutants/closing.ts";
import { DESKTOP_MUTANTS } from "./mutants/desktops.ts";
import { DEVTOOLS_MUTANTS } from "./mutants/devtools.ts";
import { ERROR_MUTANTS } from "./mutants/errors.ts";
import { INACTIVITY_MUTANTS } from "./mutants/inactivity.ts";
import { ISOLATION_MUTANTS } from "./mutants/isolation.ts";
import { LANGUAGE_MODEL_MUTANTS } from "./mutants/language-model.ts";
import { LIMIT_MUTANTS } from "./mutants/limits.ts";
import { LIST_MUTANTS } from "./mutants/lists.ts";
import { OPTION_MUTANTS } from "./mutants/options.ts";
import { PASSWORD_MUTANTS } from "./mutants/passwords.ts";
import { PATH_MUTANTS } from "./mutants/paths.ts";
import { PROXY_MUTANTS } from "./mutants/proxies.ts";
import { REQUEST_MUTANTS } from "./mutants/requests.ts";
import { SEQUENCE_MUTANTS } from "./mutants/sequences.ts";
import { SPELLING_MUTANTS } from "./mutants/spelling.ts";
import { STATUS_MUTANTS } from "./mutants/statuses.ts";
import { TIME_MUTANTS } from "./mutants/time-stamps.ts";
import { TOKEN_MUTANTS } from "./mutants/tokens.ts";
import { UNIT_MUTANTS } from "./mutants/units.ts";
import { WEB_MUTANTS } from "./mutants/web.ts";
import { DESKTOP_END_MUTANTS } from "./mutants/desktop-ends.ts";
import { HANDSHAKE_MUTANTS } from "./mutants/handshakes.ts";
import { KEEP_OPEN_MUTANTS } from "./mutants/keep-open.ts";
import { LABEL_MUTANTS } from "./mutants/labels.ts";
import { LISTED_PASSWORD_MUTANTS } from "./mutants/listed-passwords.ts";
import { OPENING_MUTANTS } from "./mutants/openings.ts";
import { SUBSCRIPTION_MUTANTS } from "./mutants/subscriptions.ts";

/** All faulty servers, grouped by kind of fault. */
export const MUTANTS_BY_AREA: Readonly<Record<string, readonly Mutant[]>> = {
  "Status codes": STATUS_MUTANTS,
  "Bodies and headers": BODY_MUTANTS,
  "Error bodies": ERROR_MUTANTS,
  Tokens: TOKEN_MUTANTS,
  "Isolation of accounts": ISOLATION_MUTANTS,
  "Paths and the order of checks": PATH_MUTANTS,
  "Request bodies": REQUEST_MUTANTS,
  "Web pages": WEB_MUTANTS,
  Options: [...OPTION_MUTANTS, ...KEEP_OPEN_MUTANTS, ...LABEL_MUTANTS],
  Openings: OPENING_MUTANTS,
  Spelling: SPELLING_MUTANTS,
  Proxies: PROXY_MUTANTS,
  Addresses: ADDRESS_MUTANTS,
  "The list": [...LIST_MUTANTS, ...LISTED_PASSWORD_MUTANTS],
  Times: TIME_MUTANTS,
  Close: CLOSE_MUTANTS,
  DevTools: [...DEVTOOLS_MUTANTS, ...HANDSHAKE_MUTANTS],
  Inactivity: INACTIVITY_MUTANTS,
  "Remote desktops": [...DESKTOP_MUTANTS, ...DESKTOP_END_MUTANTS],
  Passwords: PASSWORD_MUTANTS,
  "The parallel limit": LIMIT_MUTANTS,
  "Units and subscriptions": [...UNIT_MUTANTS, ...SUBSCRIPTION_MUTANTS],
  "Language model": LANGUAGE_MODEL_MUTANTS,
  Sequences: SEQUENCE_MUTANTS,
};

export const MUTANTS: readonly Mutant[] = Object.values(MUTANTS_BY_AREA).flat();
