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
import { PAGE_LOOK_MUTANTS } from "./mutants/page-looks.ts";
import { PAGE_MUTANTS } from "./mutants/pages.ts";
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
import { ACCOUNT_MUTANTS } from "./mutants/account-answers.ts";
import { BROWSER_ID_MUTANTS } from "./mutants/browser-ids.ts";
import { CLOSE_ALL_MUTANTS } from "./mutants/close-alls.ts";
import { HISTORY_MUTANTS } from "./mutants/histories.ts";
import { INFO_MUTANTS } from "./mutants/infos.ts";
import { ABANDONED_KEY_MUTANTS } from "./mutants/abandoned-keys.ts";
import { KEY_MUTANTS } from "./mutants/keys.ts";
import { KEY_REQUEST_MUTANTS } from "./mutants/key-requests.ts";
import { LOOK_MUTANTS } from "./mutants/looks.ts";
import { PLACE_MUTANTS } from "./mutants/places.ts";
import { SCREENSHOT_MUTANTS } from "./mutants/screenshots.ts";
import { LIFETIME_MUTANTS } from "./mutants/lifetimes.ts";
import { CHANGING_MEMBER_MUTANTS } from "./mutants/changing-members.ts";
import { TAG_MUTANTS } from "./mutants/tags.ts";
import { UPDATE_MUTANTS } from "./mutants/updates.ts";
import { WAIT_MUTANTS } from "./mutants/waits.ts";

/** All faulty servers by area. */
export const MUTANTS_BY_AREA: Readonly<Record<string, readonly Mutant[]>> = {
  "Status codes": STATUS_MUTANTS,
  "Bodies and headers": BODY_MUTANTS,
  "Error bodies": ERROR_MUTANTS,
  Tokens: TOKEN_MUTANTS,
  "Isolation of accounts": ISOLATION_MUTANTS,
  "Paths and the order of checks": PATH_MUTANTS,
  "Request bodies": REQUEST_MUTANTS,
  "Web pages": WEB_MUTANTS,
  Options: [...OPTION_MUTANTS, ...KEEP_OPEN_MUTANTS, ...LABEL_MUTANTS, ...TAG_MUTANTS, ...LOOK_MUTANTS],
  Openings: [...OPENING_MUTANTS, ...PLACE_MUTANTS],
  "Idempotency keys": [...KEY_MUTANTS, ...ABANDONED_KEY_MUTANTS, ...KEY_REQUEST_MUTANTS],
  Spelling: SPELLING_MUTANTS,
  Proxies: PROXY_MUTANTS,
  Addresses: ADDRESS_MUTANTS,
  "The list": [...LIST_MUTANTS, ...LISTED_PASSWORD_MUTANTS],
  "Changing members": CHANGING_MEMBER_MUTANTS,
  Times: TIME_MUTANTS,
  Ids: BROWSER_ID_MUTANTS,
  Info: INFO_MUTANTS,
  "The history": HISTORY_MUTANTS,
  Wait: WAIT_MUTANTS,
  Screenshots: SCREENSHOT_MUTANTS,
  Update: UPDATE_MUTANTS,
  Close: [...CLOSE_MUTANTS, ...CLOSE_ALL_MUTANTS],
  DevTools: [...DEVTOOLS_MUTANTS, ...HANDSHAKE_MUTANTS],
  Pages: [...PAGE_LOOK_MUTANTS, ...PAGE_MUTANTS],
  Inactivity: INACTIVITY_MUTANTS,
  Lifetime: LIFETIME_MUTANTS,
  "Remote desktops": [...DESKTOP_MUTANTS, ...DESKTOP_END_MUTANTS],
  Passwords: PASSWORD_MUTANTS,
  "The parallel limit": LIMIT_MUTANTS,
  "Units and subscriptions": [...UNIT_MUTANTS, ...SUBSCRIPTION_MUTANTS],
  "Account/Get": ACCOUNT_MUTANTS,
  "Language model": LANGUAGE_MODEL_MUTANTS,
  Sequences: SEQUENCE_MUTANTS,
};

export const MUTANTS: readonly Mutant[] = Object.values(MUTANTS_BY_AREA).flat();
