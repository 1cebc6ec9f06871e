import { readFileSync } from "node:fs";
import { resolve } from "node:path";

/** Settings with secrets. A setting such as `ANTHROPIC_API_KEY_FILE` can instead name a file with the secret. */
export const SECRETS = [
  "ANTHROPIC_API_KEY",
  "RBS_METRICS_TOKEN",
  "RBS_DATABASE_URL",
  "RBS_DATABASE_DIRECT_URL",
  "RBS_SECRET_KEY",
  "RBS_CLUSTER_SECRET",
  "RBS_PROXIES",
  "RBS_FIRST_ACCOUNT_PASSWORD",
  "RBS_FIRST_ACCOUNT_TOKEN",
];

type Settings = Readonly<Record<string, string>>;

/**
 * Replaces the settings that name secret files with the files' contents.
 * @returns The settings, one sentence per mistake, and the absolute paths of the files.
 */
export function readSecretFiles(given: Settings): {
  readonly settings: Settings;
  readonly mistakes: readonly string[];
  readonly files: readonly string[];
} {
  const settings = { ...given };
  const [mistakes, files]: [string[], string[]] = [[], []];
  for (const secret of SECRETS) {
    const name = `${secret}_FILE`;
    const path = given[name];
    if (path === undefined) continue;
    delete settings[name];
    files.push(resolve(path));
    if (given[secret] !== undefined) {
      mistakes.push(`${secret} and ${name} are both set. Remove one of them`);
      continue;
    }
    // `RBS_PROXIES` itself accepts a path, and its file is read line by line.
    const { text = path, mistake } = secret === "RBS_PROXIES" ? {} : readSecret(path);
    if (mistake === undefined) settings[secret] = text;
    else mistakes.push(`${name} ${mistake}, not ${JSON.stringify(path)}`);
  }
  return { settings, mistakes, files };
}

/** Reads a secret without the line break that editors add at the end of a file. */
function readSecret(path: string): { readonly text?: string; readonly mistake?: string } {
  try {
    const text = readFileSync(path, "utf8").replace(/\r?\n$/, "");
    return text === "" ? { mistake: "must be the path of a non-empty file" } : { text };
  } catch {
    return { mistake: "must be the path of a readable file" };
  }
}
