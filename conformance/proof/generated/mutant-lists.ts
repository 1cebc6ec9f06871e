// Generated from the files in conformance/proof/mutants by `npm run generate`.

import { BODY_MUTANTS } from "../mutants/protocol/bodies.ts";
import { ERROR_MUTANTS } from "../mutants/protocol/errors.ts";
import { OFFER_MUTANTS } from "../mutants/protocol/offers.ts";
import { PATH_MUTANTS } from "../mutants/protocol/paths.ts";
import { REQUEST_MUTANTS } from "../mutants/protocol/requests.ts";
import { STATUS_MUTANTS } from "../mutants/protocol/statuses.ts";
import { TOKEN_MUTANTS } from "../mutants/protocol/tokens.ts";
import { WEB_MUTANTS } from "../mutants/protocol/web.ts";
import { LANGUAGE_MODEL_MUTANTS } from "../mutants/ai/language-model.ts";
import { ADDRESS_MUTANTS } from "../mutants/open/addresses.ts";
import { KEEP_OPEN_MUTANTS } from "../mutants/open/keep-open.ts";
import { LABEL_MUTANTS } from "../mutants/open/labels.ts";
import { LIFETIME_MUTANTS } from "../mutants/open/lifetimes.ts";
import { LOOK_MUTANTS } from "../mutants/open/looks.ts";
import { OPENING_MUTANTS } from "../mutants/open/openings.ts";
import { OPTION_MUTANTS } from "../mutants/open/options.ts";
import { PLACE_MUTANTS } from "../mutants/open/places.ts";
import { PROXY_MUTANTS } from "../mutants/open/proxies.ts";
import { SPELLING_MUTANTS } from "../mutants/open/spelling.ts";
import { TAG_MUTANTS } from "../mutants/open/tags.ts";
import { PAGE_LOOK_MUTANTS } from "../mutants/pages/page-looks.ts";
import { PAGE_MUTANTS } from "../mutants/pages/pages.ts";
import { SCREENSHOT_MUTANTS } from "../mutants/pages/screenshots.ts";
import { ABANDONED_KEY_MUTANTS } from "../mutants/keys/abandoned-keys.ts";
import { KEY_REQUEST_MUTANTS } from "../mutants/keys/key-requests.ts";
import { KEY_MUTANTS } from "../mutants/keys/keys.ts";
import { CLOSE_ALL_MUTANTS } from "../mutants/close/close-alls.ts";
import { CLOSE_MUTANTS } from "../mutants/close/closing.ts";
import { BROWSER_ID_MUTANTS } from "../mutants/records/browser-ids.ts";
import { CHANGING_MEMBER_MUTANTS } from "../mutants/records/changing-members.ts";
import { HISTORY_MUTANTS } from "../mutants/records/histories.ts";
import { INFO_MUTANTS } from "../mutants/records/infos.ts";
import { LISTED_PASSWORD_MUTANTS } from "../mutants/records/listed-passwords.ts";
import { LIST_MUTANTS } from "../mutants/records/lists.ts";
import { TIME_MUTANTS } from "../mutants/records/time-stamps.ts";
import { UPDATE_MUTANTS } from "../mutants/records/updates.ts";
import { WAIT_MUTANTS } from "../mutants/records/waits.ts";
import { DEVTOOLS_MUTANTS } from "../mutants/connect/devtools.ts";
import { HANDSHAKE_MUTANTS } from "../mutants/connect/handshakes.ts";
import { INACTIVITY_MUTANTS } from "../mutants/connect/inactivity.ts";
import { DESKTOP_END_MUTANTS } from "../mutants/desktop/desktop-ends.ts";
import { DESKTOP_MUTANTS } from "../mutants/desktop/desktops.ts";
import { PASSWORD_MUTANTS } from "../mutants/desktop/passwords.ts";
import { ACCOUNT_MUTANTS } from "../mutants/account/account-answers.ts";
import { ISOLATION_MUTANTS } from "../mutants/account/isolation.ts";
import { LIMIT_MUTANTS } from "../mutants/account/limits.ts";
import { SUBSCRIPTION_MUTANTS } from "../mutants/account/subscriptions.ts";
import { UNIT_MUTANTS } from "../mutants/account/units.ts";
import { SEQUENCE_MUTANTS } from "../mutants/random/sequences.ts";
import type { Mutant } from "../mutant.ts";

/** The mutants of each file, by the heading of their part of the matrix. */
export const MUTANT_LISTS: Readonly<Record<string, readonly Mutant[]>> = {
  "protocol: bodies": BODY_MUTANTS,
  "protocol: errors": ERROR_MUTANTS,
  "protocol: offers": OFFER_MUTANTS,
  "protocol: paths": PATH_MUTANTS,
  "protocol: requests": REQUEST_MUTANTS,
  "protocol: statuses": STATUS_MUTANTS,
  "protocol: tokens": TOKEN_MUTANTS,
  "protocol: web": WEB_MUTANTS,
  "ai: language model": LANGUAGE_MODEL_MUTANTS,
  "open: addresses": ADDRESS_MUTANTS,
  "open: keep open": KEEP_OPEN_MUTANTS,
  "open: labels": LABEL_MUTANTS,
  "open: lifetimes": LIFETIME_MUTANTS,
  "open: looks": LOOK_MUTANTS,
  "open: openings": OPENING_MUTANTS,
  "open: options": OPTION_MUTANTS,
  "open: places": PLACE_MUTANTS,
  "open: proxies": PROXY_MUTANTS,
  "open: spelling": SPELLING_MUTANTS,
  "open: tags": TAG_MUTANTS,
  "pages: page looks": PAGE_LOOK_MUTANTS,
  "pages: pages": PAGE_MUTANTS,
  "pages: screenshots": SCREENSHOT_MUTANTS,
  "keys: abandoned keys": ABANDONED_KEY_MUTANTS,
  "keys: key requests": KEY_REQUEST_MUTANTS,
  "keys: keys": KEY_MUTANTS,
  "close: close alls": CLOSE_ALL_MUTANTS,
  "close: closing": CLOSE_MUTANTS,
  "records: browser ids": BROWSER_ID_MUTANTS,
  "records: changing members": CHANGING_MEMBER_MUTANTS,
  "records: histories": HISTORY_MUTANTS,
  "records: infos": INFO_MUTANTS,
  "records: listed passwords": LISTED_PASSWORD_MUTANTS,
  "records: lists": LIST_MUTANTS,
  "records: time stamps": TIME_MUTANTS,
  "records: updates": UPDATE_MUTANTS,
  "records: waits": WAIT_MUTANTS,
  "connect: devtools": DEVTOOLS_MUTANTS,
  "connect: handshakes": HANDSHAKE_MUTANTS,
  "connect: inactivity": INACTIVITY_MUTANTS,
  "desktop: desktop ends": DESKTOP_END_MUTANTS,
  "desktop: desktops": DESKTOP_MUTANTS,
  "desktop: passwords": PASSWORD_MUTANTS,
  "account: account answers": ACCOUNT_MUTANTS,
  "account: isolation": ISOLATION_MUTANTS,
  "account: limits": LIMIT_MUTANTS,
  "account: subscriptions": SUBSCRIPTION_MUTANTS,
  "account: units": UNIT_MUTANTS,
  "random: sequences": SEQUENCE_MUTANTS,
};
