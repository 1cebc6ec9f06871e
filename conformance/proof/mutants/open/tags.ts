import { type Fault, type Mutant, mutant } from "../../mutant.ts";
import { type Options, onOption, refuseWhere, understandAs } from "../../faults/open-options.ts";
import { onShown } from "../../faults/shown.ts";

function onTags(alter: (tags: readonly string[]) => unknown): Fault {
  return onShown((shown) => ({ ...shown, tags: alter(shown["tags"] as string[]) }));
}

function tagsOf({ Tags }: Options): readonly string[] {
  return Array.isArray(Tags) ? Tags.filter((tag) => typeof tag === "string") : [];
}

/** Faults in accepting and listing tags. */
export const TAG_MUTANTS: readonly Mutant[] = [
  mutant("tag-sorted", ["RBS-TAG-01"], "Tags are sorted", () => onTags((tags) => tags.toSorted())),
  mutant("tag-once", ["RBS-TAG-01"], "Duplicate tags are listed once", () => onTags((tags) => [...new Set(tags)])),
  mutant("tag-trimmed", ["RBS-TAG-01"], "Tags are trimmed", () => onTags((tags) => tags.map((tag) => tag.trim()))),
  mutant("tag-lower-case", ["RBS-TAG-01"], "Tags are listed in lowercase", () =>
    onTags((tags) => tags.map((tag) => tag.toLowerCase())),
  ),
  mutant("tag-19", ["RBS-TAG-02"], "A request with 20 tags is rejected", () =>
    refuseWhere((options) => (tagsOf(options).length > 19 ? "/Tags" : undefined)),
  ),
  mutant("tag-utf16", ["RBS-TAG-02"], "Tag characters outside the Basic Multilingual Plane count twice", () =>
    refuseWhere((options) => {
      const at = tagsOf(options).findIndex((tag) => tag.length > 128);
      return at < 0 ? undefined : `/Tags/${at}`;
    }),
  ),
  mutant("tag-cut", ["RBS-TAG-02"], "Excess tags and characters are dropped instead of rejected", () =>
    understandAs((options) => {
      if (tagsOf(options).length === 0) return options;
      const cut = (tag: unknown): unknown => (typeof tag === "string" ? Array.from(tag).slice(0, 128).join("") : tag);
      return { ...options, Tags: (options["Tags"] as unknown[]).slice(0, 20).map(cut) };
    }),
  ),
  mutant("tag-empty", ["RBS-TAG-02"], "Empty tags are omitted instead of rejected", () =>
    onOption("Tags", (value) => (Array.isArray(value) ? value.filter((tag) => tag !== "") : value)),
  ),
  mutant("tag-camel-ignored", ["RBS-TAG-02"], "The Tags option is ignored if it is spelled tags", () =>
    understandAs((options) => ({ ...options, tags: undefined })),
  ),
  mutant("tag-null", ["RBS-TAG-03", "RBS-ANSWER-02"], "A browser without tags is listed with null", () =>
    onTags((tags) => (tags.length === 0 ? null : tags)),
  ),
];
