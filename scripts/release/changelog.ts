/**
 * The part of CHANGELOG.md about a version, without its heading.
 * @param version A version, or `Unreleased`.
 * @returns Undefined if there is none.
 */
export function readSection(changelog: string, version: string): string | undefined {
  return changelog
    .split(/^## /m)
    .slice(1)
    .map((part) => [part.slice(0, part.indexOf("\n")), part.slice(part.indexOf("\n")).trim()] as const)
    .find(([heading]) => heading.split(" ", 1)[0] === version)?.[1];
}
