import {
  DISABLING_DROPPED,
  DISABLING_REFUSED,
  ENABLING_DROPPED,
  ENABLING_REFUSED,
  type FeatureRule,
  MOVING_REFUSED,
} from "../server/src/domain/switches/switch-features.ts";
import type { SwitchRow } from "../server/src/domain/switches/switch-values.ts";
import { REFUSED } from "../server/src/domain/switches/switch-table/refused.ts";
import { WITHOUT_EFFECT } from "../server/src/domain/switches/switch-table/without-effect.ts";
import { ACCEPTED, PROTECTING } from "../server/src/domain/switches/switch-table.ts";
import { renderTable } from "./generators/markdown.ts";
import { writeOrCheck } from "./generators/write-or-check.ts";

/** Renders the page about `Args` and `IgnoredDefaultArgs` from the server's own tables. */
function renderArguments(): string {
  const parts = [
    INTRODUCTION,
    "## Accepted",
    "The browser receives these switches. A switch without a value in this list accepts no value.",
    ...ACCEPTED.flatMap(({ title, rows }) => [
      `### ${title}`,
      renderTable(["Switch", "Value", "Meaning"], rows.map(toCells)),
    ]),
    ABOUT_FEATURES,
    renderTable(
      ["Switch", "Refused", "Reason"],
      [
        ...[...ENABLING_REFUSED, ...MOVING_REFUSED].map((rule) => toFeatureCells("enable", rule)),
        ...[...DISABLING_REFUSED, ...MOVING_REFUSED].map((rule) => toFeatureCells("disable", rule)),
      ],
    ),
    "## Accepted without effect",
    "The service accepts these in `Args`, with any value, and doesn't pass them on, so that scripts written for other " +
      "machines run unchanged.",
    ...WITHOUT_EFFECT.flatMap(({ title, why, names }) => [`### ${title}`, why, names.map(code).join(", ")]),
    "## Refused",
    "Open returns 400 `BadRequest` for these and lists each of them. Your browser shares a machine with others, so the " +
      "service controls everything that reaches beyond the browser.",
    renderTable(
      ["What they do", "Reason in the response", "Switches"],
      REFUSED.map(({ title, reason, names }) => [title, reason, names.map(code).join(", ")]),
    ),
    UNKNOWN,
    "## `IgnoredDefaultArgs`",
    IGNORING,
    renderTable(
      ["Default that stays", "Reason"],
      Array.from(PROTECTING, ([name, reason]) => [code(name), reason]),
    ),
  ];
  return `${parts.map((part) => part.trimEnd()).join("\n\n")}\n`;
}

const INTRODUCTION = `<!-- Made by scripts/generate-arguments.ts from server/src/domain/switches/switch-table. -->

# Browser arguments

Open's \`Args\` adds switches to the service's defaults. \`IgnoredDefaultArgs\` removes some of the defaults. This page lists what
both accept.

\`\`\`json
{
  "Args": ["--lang=de-DE", "--window-size=1280,800", "--disable-features=Translate"],
  "IgnoredDefaultArgs": ["--mute-audio"]
}
\`\`\`

- Write an argument as \`--name\` or \`--name=value\`, in lower case, with two dashes and without quotes around the value.
- Your switch replaces the service's default. If you pass a switch more than once, the last value applies. Feature
  lists and \`--blink-settings\` are combined.
- You can't pass page URLs. Open pages over DevTools instead. The service ignores \`about:blank\`, the last entry of
  Puppeteer's argument list.
- Sites compare language, time zone, user agent and sizes: [stealth.md](stealth.md) explains which arguments
  must match.
- If the service refuses one argument, it refuses the whole Open request, which then costs nothing. \`errors\` in
  the response lists each refused argument with its position and the reason.`;

const ABOUT_FEATURES = `### Refused features

Feature lists accept all names except these. The service also removes names that would weaken the browser's protection, but that
many copied lists contain: ${[...ENABLING_DROPPED].map(code).join(", ")} in \`--enable-features\`,
${[...DISABLING_DROPPED].map(code).join(", ")} in \`--disable-features\`.`;

const UNKNOWN = `The service refuses all other switches, because every version of Chromium adds new ones and some are dangerous. If you
need one, ask the service's operator.`;

const IGNORING = `Pass names of switches as \`--name\`, \`--name=value\` (the value is ignored) or \`name\`. The service ignores names that are not among its
defaults, so lists made for Puppeteer or Selenium work. You can't remove the following defaults. If you name one,
Open returns 400 \`BadRequest\`:`;

function toCells([name, value, meaning]: SwitchRow): readonly string[] {
  return [code(name), value?.form ?? "", meaning];
}

function toFeatureCells(verb: "enable" | "disable", { names, reason }: FeatureRule): readonly string[] {
  return [`\`--${verb}-features\`, \`--${verb}-blink-features\``, names, reason];
}

function code(name: string): string {
  return `\`${name}\``;
}

writeOrCheck("docs/arguments.md", renderArguments());
