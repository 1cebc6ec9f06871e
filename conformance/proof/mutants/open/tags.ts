import { type Fault, type Mutant, mutant } from "../../mutant.ts";
import { type Options, onOption, refuseWhere, understandAs } from "../../faults/open-options.ts";
import { onShown } from "../../faults/shown.ts";

function onTags(alter: (tags: readonly string[]) => unknown): Fault {
  return onShown((shown) => ({ ...shown, tags: alter(shown["tags"] as string[]) }));
}

function tagsOf({ Tags }: Options): readonly string[] {
  return Array.isArray(Tags) ? Tags.filter((tag) => typeof tag === "string") : [];
}

/** Which tags are accepted, and how they are listed. */
export const TAG_MUTANTS: readonly Mutant[] = [
  mutant("tag-sorted", ["RBS-TAG-01"], "Tags are sorted", () => onTags((tags) => tags.toSorted())),
  mutant("tag-once", ["RBS-TAG-01"], "Repeated tags are listed once", () => onTags((tags) => [...new Set(tags)])),
  mutant("tag-trimmed", ["RBS-TAG-01"], "Spaces around tags are removed", () =>
    onTags((tags) => tags.map((tag) => tag.trim())),
  ),
  mutant("tag-lower-case", ["RBS-TAG-01"], "Tags are listed in lower case", () =>
    onTags((tags) => tags.map((tag) => tag.toLowerCase())),
  ),
  mutant("tag-19", ["RBS-TAG-02"], "20 tags are refused", () =>
    refuseWhere((options) => (tagsOf(options).length > 19 ? "/Tags" : undefined)),
  ),
  mutant("tag-utf16", ["RBS-TAG-02"], "Characters of a tag outside the basic plane count twice", () =>
    refuseWhere((options) => {
      const at = tagsOf(options).findIndex((tag) => tag.length > 128);
      return at < 0 ? undefined : `/Tags/${at}`;
    }),
  ),
  mutant("tag-cut", ["RBS-TAG-02"], "Tags that are too many or too long are cut instead of refused", () =>
    understandAs((options) => {
      if (tagsOf(options).length === 0) return options;
      const cut = (tag: unknown): unknown => (typeof tag === "string" ? Array.from(tag).slice(0, 128).join("") : tag);
      return { ...options, Tags: (options["Tags"] as unknown[]).slice(0, 20).map(cut) };
    }),
  ),
  mutant("tag-empty", ["RBS-TAG-02"], "Empty tags are left out instead of refused", () =>
    onOption("Tags", (value) => (Array.isArray(value) ? value.filter((tag) => tag !== "") : value)),
  ),
  mutant("tag-camel-ignored", ["RBS-TAG-02"], "The spelling tags of the option Tags is ignored", () =>
    understandAs((options) => ({ ...options, tags: undefined })),
  ),
  mutant("tag-null", ["RBS-TAG-03", "RBS-ANSWER-02"], "Without tags, null is listed", () =>
    onTags((tags) => (tags.length === 0 ? null : tags)),
  ),
];
