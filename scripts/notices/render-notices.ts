import type { Notice } from "./packages.ts";
import { PROGRAMS } from "./programs.ts";

/** Renders THIRD_PARTY_NOTICES.md. */
export function renderNotices(packages: readonly Notice[]): string {
  const rows = packages.map(({ name, version, licence, copyright }) =>
    row(`${name} ${version}`, licence, copyright.join("; ")),
  );
  return `# Third-party notices

<!-- Written by \`npm run generate\`: the packages from package-lock.json and their licence files. -->

## Packages the server runs on

Each package's full licence text is in its folder below \`node_modules/\`.

${row("Package", "Licence", "Copyright")}
${row("---", "---", "---")}
${rows.join("\n")}

## Programs beside the server

Separate programs, called by their command lines. The set-up installs them; this repository doesn't contain them.

${row("Program", "Licence", "Use")}
${row("---", "---", "---")}
${PROGRAMS.map(({ name, licence, use }) => row(name, licence, use)).join("\n")}
`;
}

/** Renders the licence texts, which must accompany the compiled server, because it contains the packages. */
export function renderLicences(packages: readonly Notice[]): string {
  const line = "=".repeat(80);
  return packages
    .map(({ name, version, licence, text }) => `${line}\n${name} ${version} (${licence})\n\n${text}\n`)
    .join("\n");
}

function row(...cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}
