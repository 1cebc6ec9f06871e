import manifest from "../package.json" with { type: "json" };

/** What reports say of the program that wrote them. */
export const TOOL = { name: manifest.name, version: manifest.version } as const;
