import { readFileSync } from "node:fs";
import { join } from "node:path";

type Manifest = Readonly<Record<string, unknown>>;

const REPOSITORY = "https://github.com/remote-browser/remote-browser-service";

/**
 * What registries show about a package of this workspace.
 * @param folder The package's folder, relative to the repository.
 * @returns The first members of the manifest that is published.
 */
export function toPublished(root: string, folder: string): Manifest {
  const manifest = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as Manifest;
  const { name, version, description, keywords, license, type } = manifest;
  return {
    ...{ name, version, description, keywords, license, type },
    author: "Remote Browser Service contributors",
    homepage: `${REPOSITORY}/tree/main/${folder}#readme`,
    repository: { type: "git", url: `git+${REPOSITORY}.git`, directory: folder },
    bugs: `${REPOSITORY}/issues`,
  };
}
