import {
  DISABLING_DROPPED,
  DISABLING_REFUSED,
  ENABLING_DROPPED,
  ENABLING_REFUSED,
  type FeatureRule,
  MOVING_REFUSED,
} from "../../server/src/domain/switches/switch-features.ts";
import type { SwitchRow } from "../../server/src/domain/switches/switch-table/group.ts";
import { REFUSED } from "../../server/src/domain/switches/switch-table/refused.ts";
import { WITHOUT_EFFECT } from "../../server/src/domain/switches/switch-table/without-effect.ts";
import { ACCEPTED, PROTECTING } from "../../server/src/domain/switches/switch-table.ts";

/** The page about `Args` and `IgnoredDefaultArgs`, from the tables the server reads them with. */
export function renderArguments(): string {
  return (
    [
      INTRODUCTION,
      "## Accepted",
      "These reach the browser. A switch without a value in this list takes none.",
      ...ACCEPTED.flatMap(({ title, rows }) => [
        `### ${title}`,
        table(["Switch", "Value", "Meaning"], rows.map(toCells)),
      ]),
      ABOUT_FEATURES,
      table(
        ["Switch", "Not", "Because"],
        [
          ...[...ENABLING_REFUSED, ...MOVING_REFUSED].map((rule) => toFeatureCells("enable", rule)),
          ...[...DISABLING_REFUSED, ...MOVING_REFUSED].map((rule) => toFeatureCells("disable", rule)),
        ],
      ),
      "## Accepted without effect",
      "These may stand in `Args`, with any value, and are not passed on: a script that was written for another machine " +
        "runs unchanged.",
      ...WITHOUT_EFFECT.flatMap(({ title, why, names }) => [`### ${title}`, why, names.map(code).join(", ")]),
      "## Refused",
      "Open answers 400 `BadRequest` to these and names each of them. A browser of yours runs on a machine that is not " +
        "yours alone; what reaches beyond the browser stays with the service.",
      table(
        ["What they do", "Reason in the answer", "Switches"],
        REFUSED.map(({ title, reason, names }) => [title, reason, names.map(code).join(", ")]),
      ),
      UNKNOWN,
      "## `IgnoredDefaultArgs`",
      IGNORING,
      table(
        ["Default that stays", "Because"],
        Array.from(PROTECTING, ([name, reason]) => [code(name), reason]),
      ),
    ].join("\n\n") + "\n"
  );
}

const INTRODUCTION = `<!-- Made by scripts/generate-arguments.ts from server/src/domain/switches/switch-table. -->

# Browser arguments

\`Args\` of Open adds switches to the ones the service starts every browser with; \`IgnoredDefaultArgs\` leaves some of
those out. This page lists what both take.

\`\`\`json
{
  "Args": ["--lang=de-DE", "--window-size=1280,800", "--disable-features=Translate"],
  "IgnoredDefaultArgs": ["--mute-audio"]
}
\`\`\`

- An argument is written \`--name\` or \`--name=value\`, in lower case, with two dashes. No quotes around the value.
- A switch that the service sets too replaces the service's own. Given twice, the last one counts. Lists, of features and
  in \`--blink-settings\`, add up.
- There are no arguments that are pages to open: open pages over DevTools. \`about:blank\`, which ends Puppeteer's lists,
  is no mistake.
- Language, time zone, user agent and sizes are judged together by sites: [stealth.md](stealth.md) says what follows from
  what.
- One refused argument refuses the whole Open, and costs nothing. The answer's \`errors\` say which, by place and reason.`;

const ABOUT_FEATURES = `### Features that may not be named

Feature lists take any name but these. Some that would only loosen protection stand in many copied lists, and are left
out of them: ${[...ENABLING_DROPPED].map(code).join(", ")} of \`--enable-features\`,
${[...DISABLING_DROPPED].map(code).join(", ")} of \`--disable-features\`.`;

const UNKNOWN = `Whatever stands nowhere on this page is refused too: new switches come with every version of Chromium, and some are
dangerous. If you miss one, ask whoever runs the service.`;

const IGNORING = `Names of switches, as \`--name\`, \`--name=value\` (the value is not looked at) or \`name\`. A name that is no default is no
mistake: lists made for Puppeteer or Selenium work. These defaults cannot be left out, and naming one is a 400
\`BadRequest\`:`;

function toCells([name, value, meaning]: SwitchRow): readonly string[] {
  return [code(name), value?.form ?? "", meaning];
}

function toFeatureCells(verb: "enable" | "disable", { names, reason }: FeatureRule): readonly string[] {
  return [`\`--${verb}-features\`, \`--${verb}-blink-features\``, names, reason];
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(heads), `|${heads.map(() => "---|").join("")}`, ...rows.map(line)].join("\n");
}

function code(name: string): string {
  return `\`${name}\``;
}
