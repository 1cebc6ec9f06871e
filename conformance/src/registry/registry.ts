import { ACCOUNT_RULES } from "../rules/account/account.ts";
import { ADDRESS_RULES } from "../rules/open/addresses.ts";
import { AI_REQUEST_RULES } from "../rules/ai/ai-requests.ts";
import { AI_RULES } from "../rules/ai/ai.ts";
import { ANSWER_HEADER_RULES } from "../rules/protocol/answer-headers.ts";
import { ANSWER_RULES } from "../rules/protocol/answers.ts";
import { ARGUMENT_RULES } from "../rules/open/arguments.ts";
import { AUTH_RULES } from "../rules/protocol/auth.ts";
import { BODY_RULES } from "../rules/protocol/bodies.ts";
import { BODY_SIZE_RULES } from "../rules/protocol/body-sizes.ts";
import { CHECK_ORDER_RULES } from "../rules/protocol/check-order.ts";
import { CLOSE_ADDRESS_RULES } from "../rules/close/close-addresses.ts";
import { CLOSE_ALL_RULES } from "../rules/close/close-all.ts";
import { CLOSE_DESKTOP_RULES } from "../rules/close/close-desktop.ts";
import { CLOSE_RULES } from "../rules/close/close.ts";
import { CONNECT_PAGE_RULES } from "../rules/connect/connect-pages.ts";
import { CONNECT_RULES } from "../rules/connect/connect.ts";
import { DESKTOP_END_RULES } from "../rules/desktop/desktop-ends.ts";
import { DESKTOP_VIEWER_RULES } from "../rules/desktop/desktop-viewers.ts";
import { DESKTOP_RULES } from "../rules/desktop/desktop.ts";
import { FUZZ_RULES } from "../rules/random/fuzz.ts";
import { HANDSHAKE_RULES } from "../rules/connect/handshake.ts";
import { HISTORY_FILTER_RULES } from "../rules/records/history-filters.ts";
import { HISTORY_RULES } from "../rules/records/history.ts";
import { IDLE_CLIENT_RULES } from "../rules/connect/idle-clients.ts";
import { IDLE_VALUE_RULES } from "../rules/connect/idle-values.ts";
import { IDLE_RULES } from "../rules/connect/idle.ts";
import { ID_RULES } from "../rules/records/ids.ts";
import { INFO_RULES } from "../rules/records/info.ts";
import { ISOLATION_RULES } from "../rules/account/isolation.ts";
import { ABANDONED_KEY_RULES } from "../rules/keys/abandoned-keys.ts";
import { KEY_LIMIT_RULES } from "../rules/keys/key-limits.ts";
import { KEY_RULES } from "../rules/keys/keys.ts";
import { LABEL_RULES } from "../rules/open/labels.ts";
import { LIFETIME_RULES } from "../rules/open/lifetime.ts";
import { LIMIT_RULES } from "../rules/account/limits.ts";
import { LOOK_RULES } from "../rules/pages/look.ts";
import { LIST_ENTRY_RULES } from "../rules/records/list-entries.ts";
import { LIST_RULES } from "../rules/records/list.ts";
import { CHANGING_MEMBER_RULES } from "../rules/records/changing-members.ts";
import { MEDIA_TYPE_RULES } from "../rules/protocol/media-types.ts";
import { MODEL_RULES } from "../rules/random/model.ts";
import { KIND_RULES } from "../rules/open/open-kinds.ts";
import { OPTION_RULES } from "../rules/open/open-options.ts";
import { OPEN_RULES } from "../rules/open/open.ts";
import { PATH_RULES } from "../rules/protocol/paths.ts";
import { PLACE_RULES } from "../rules/open/places.ts";
import { PROXY_RULES } from "../rules/open/proxy.ts";
import { RATE_RULES } from "../rules/account/rate.ts";
import { SCREENSHOT_RULES } from "../rules/pages/screenshots.ts";
import { SPELLING_RULES } from "../rules/open/spelling.ts";
import { STEALTH_RULES } from "../rules/pages/stealth.ts";
import { SUBSCRIPTION_RULES } from "../rules/account/subscriptions.ts";
import { TAG_RULES } from "../rules/open/tags.ts";
import { UNITS_RULES } from "../rules/account/units.ts";
import { UPDATE_RULES } from "../rules/records/update.ts";
import { WAIT_RULES } from "../rules/records/wait.ts";
import { WEB_RULES } from "../rules/protocol/web.ts";
import type { Rule } from "./rule.ts";

/** Every rule, in the order of the reports. */
export const RULES: readonly Rule[] = [
  ...ANSWER_RULES,
  ...ANSWER_HEADER_RULES,
  ...AUTH_RULES,
  ...PATH_RULES,
  ...CHECK_ORDER_RULES,
  ...BODY_SIZE_RULES,
  ...MEDIA_TYPE_RULES,
  ...BODY_RULES,
  ...WEB_RULES,
  ...AI_REQUEST_RULES,
  ...AI_RULES,
  ...ADDRESS_RULES,
  ...OPEN_RULES,
  ...OPTION_RULES,
  ...KIND_RULES,
  ...LABEL_RULES,
  ...TAG_RULES,
  ...LIFETIME_RULES,
  ...PLACE_RULES,
  ...LOOK_RULES,
  ...KEY_RULES,
  ...ABANDONED_KEY_RULES,
  ...KEY_LIMIT_RULES,
  ...ARGUMENT_RULES,
  ...SPELLING_RULES,
  ...PROXY_RULES,
  ...STEALTH_RULES,
  ...CLOSE_RULES,
  ...CLOSE_ADDRESS_RULES,
  ...CLOSE_DESKTOP_RULES,
  ...LIST_RULES,
  ...LIST_ENTRY_RULES,
  ...CHANGING_MEMBER_RULES,
  ...ID_RULES,
  ...INFO_RULES,
  ...HISTORY_RULES,
  ...HISTORY_FILTER_RULES,
  ...WAIT_RULES,
  ...UPDATE_RULES,
  ...CLOSE_ALL_RULES,
  ...SCREENSHOT_RULES,
  ...ACCOUNT_RULES,
  ...CONNECT_RULES,
  ...CONNECT_PAGE_RULES,
  ...HANDSHAKE_RULES,
  ...IDLE_RULES,
  ...IDLE_CLIENT_RULES,
  ...IDLE_VALUE_RULES,
  ...DESKTOP_RULES,
  ...DESKTOP_VIEWER_RULES,
  ...DESKTOP_END_RULES,
  ...LIMIT_RULES,
  ...UNITS_RULES,
  ...SUBSCRIPTION_RULES,
  ...RATE_RULES,
  ...ISOLATION_RULES,
  ...FUZZ_RULES,
  ...MODEL_RULES,
];
