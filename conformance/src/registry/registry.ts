import { ACCOUNT_RULES } from "../rules/account.ts";
import { ADDRESS_RULES } from "../rules/addresses.ts";
import { AI_REQUEST_RULES } from "../rules/ai-requests.ts";
import { AI_RULES } from "../rules/ai.ts";
import { ANSWER_HEADER_RULES } from "../rules/answer-headers.ts";
import { ANSWER_RULES } from "../rules/answers.ts";
import { ARGUMENT_RULES } from "../rules/arguments.ts";
import { AUTH_RULES } from "../rules/auth.ts";
import { BODY_RULES } from "../rules/bodies.ts";
import { BODY_SIZE_RULES } from "../rules/body-sizes.ts";
import { CHECK_ORDER_RULES } from "../rules/check-order.ts";
import { CLOSE_ADDRESS_RULES } from "../rules/close-addresses.ts";
import { CLOSE_ALL_RULES } from "../rules/close-all.ts";
import { CLOSE_DESKTOP_RULES } from "../rules/close-desktop.ts";
import { CLOSE_RULES } from "../rules/close.ts";
import { CONNECT_PAGE_RULES } from "../rules/connect-pages.ts";
import { CONNECT_RULES } from "../rules/connect.ts";
import { DESKTOP_END_RULES } from "../rules/desktop-ends.ts";
import { DESKTOP_VIEWER_RULES } from "../rules/desktop-viewers.ts";
import { DESKTOP_RULES } from "../rules/desktop.ts";
import { FUZZ_RULES } from "../rules/fuzz.ts";
import { HANDSHAKE_RULES } from "../rules/handshake.ts";
import { HISTORY_FILTER_RULES } from "../rules/history-filters.ts";
import { HISTORY_RULES } from "../rules/history.ts";
import { IDLE_CLIENT_RULES } from "../rules/idle-clients.ts";
import { IDLE_VALUE_RULES } from "../rules/idle-values.ts";
import { IDLE_RULES } from "../rules/idle.ts";
import { ID_RULES } from "../rules/ids.ts";
import { INFO_RULES } from "../rules/info.ts";
import { ISOLATION_RULES } from "../rules/isolation.ts";
import { ABANDONED_KEY_RULES } from "../rules/abandoned-keys.ts";
import { KEY_LIMIT_RULES } from "../rules/key-limits.ts";
import { KEY_RULES } from "../rules/keys.ts";
import { LABEL_RULES } from "../rules/labels.ts";
import { LIFETIME_RULES } from "../rules/lifetime.ts";
import { LIMIT_RULES } from "../rules/limits.ts";
import { LOOK_RULES } from "../rules/look.ts";
import { LIST_ENTRY_RULES } from "../rules/list-entries.ts";
import { LIST_RULES } from "../rules/list.ts";
import { CHANGING_MEMBER_RULES } from "../rules/changing-members.ts";
import { MEDIA_TYPE_RULES } from "../rules/media-types.ts";
import { MODEL_RULES } from "../rules/model.ts";
import { KIND_RULES } from "../rules/open-kinds.ts";
import { OPTION_RULES } from "../rules/open-options.ts";
import { OPEN_RULES } from "../rules/open.ts";
import { PATH_RULES } from "../rules/paths.ts";
import { PLACE_RULES } from "../rules/places.ts";
import { PROXY_RULES } from "../rules/proxy.ts";
import { RATE_RULES } from "../rules/rate.ts";
import { SCREENSHOT_RULES } from "../rules/screenshots.ts";
import { SPELLING_RULES } from "../rules/spelling.ts";
import { STEALTH_RULES } from "../rules/stealth.ts";
import { SUBSCRIPTION_RULES } from "../rules/subscriptions.ts";
import { TAG_RULES } from "../rules/tags.ts";
import { UNITS_RULES } from "../rules/units.ts";
import { UPDATE_RULES } from "../rules/update.ts";
import { WAIT_RULES } from "../rules/wait.ts";
import { WEB_RULES } from "../rules/web.ts";
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
