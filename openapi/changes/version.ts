/** The version of a contract, such as 1.4.0. */
export type Version = { readonly major: number; readonly minor: number; readonly patch: number };

/** @throws {Error} When it is not three numbers. */
export function readVersion(text: unknown): Version {
  const [, major, minor, patch] = /^(\d+)\.(\d+)\.(\d+)$/.exec(String(text)) ?? [];
  if (patch === undefined)
    throw new Error(`info.version must be three numbers such as 1.0.0, not ${JSON.stringify(text)}.`);
  return { major: Number(major), minor: Number(minor), patch: Number(patch) };
}

/** Negative if a is lower than b. */
export function compareVersions(a: Version, b: Version): number {
  return a.major - b.major || a.minor - b.minor || a.patch - b.patch;
}

export function sayVersion({ major, minor, patch }: Version): string {
  return `${major}.${minor}.${patch}`;
}
