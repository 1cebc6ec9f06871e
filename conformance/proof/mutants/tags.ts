import type { Fault, Mutant } from "../mutant.ts";
import { type Options, refuseWhere, understandAs } from "./open-options.ts";
import { onShown } from "./shown.ts";

function onTags(alter: (tags: readonly string[]) => unknown): Fault {
  return onShown((shown) => ({ ...shown, tags: alter(shown["tags"] as string[]) }));
}

function tagsOf({ Tags }: Options): readonly string[] {
  return Array.isArray(Tags) ? Tags.filter((tag) => typeof tag === "string") : [];
}

/** Which tags are accepted, and how they are listed. */
export const TAG_MUTANTS: readonly Mutant[] = [
  {
    id: "tag-sorted",
    title: "Tags are sorted",
    killedBy: ["RBS-TAG-01"],
    fault: () => onTags((tags) => tags.toSorted()),
  },
  {
    id: "tag-once",
    title: "Repeated tags are listed once",
    killedBy: ["RBS-TAG-01"],
    fault: () => onTags((tags) => [...new Set(tags)]),
  },
  {
    id: "tag-trimmed",
    title: "Spaces around tags are removed",
    killedBy: ["RBS-TAG-01"],
    fault: () => onTags((tags) => tags.map((tag) => tag.trim())),
  },
  {
    id: "tag-lower-case",
    title: "Tags are listed in lower case",
    killedBy: ["RBS-TAG-01"],
    fault: () => onTags((tags) => tags.map((tag) => tag.toLowerCase())),
  },
  {
    id: "tag-19",
    title: "20 tags are refused",
    killedBy: ["RBS-TAG-02"],
    fault: () => refuseWhere((options) => (tagsOf(options).length > 19 ? "/Tags" : undefined)),
  },
  {
    id: "tag-utf16",
    title: "Characters of a tag outside the basic plane count twice",
    killedBy: ["RBS-TAG-02"],
    fault: () =>
      refuseWhere((options) => {
        const at = tagsOf(options).findIndex((tag) => tag.length > 128);
        return at < 0 ? undefined : `/Tags/${at}`;
      }),
  },
  {
    id: "tag-cut",
    title: "Tags that are too many or too long are cut instead of refused",
    killedBy: ["RBS-TAG-02"],
    fault: () =>
      understandAs((options) => {
        if (tagsOf(options).length === 0) return options;
        const cut = (tag: unknown): unknown => (typeof tag === "string" ? Array.from(tag).slice(0, 128).join("") : tag);
        return { ...options, Tags: (options["Tags"] as unknown[]).slice(0, 20).map(cut) };
      }),
  },
  {
    id: "tag-empty",
    title: "Empty tags are left out instead of refused",
    killedBy: ["RBS-TAG-02"],
    fault: () =>
      understandAs((options) =>
        Array.isArray(options["Tags"]) ? { ...options, Tags: options["Tags"].filter((tag) => tag !== "") } : options,
      ),
  },
  {
    id: "tag-camel-ignored",
    title: "The spelling tags of the option Tags is ignored",
    killedBy: ["RBS-TAG-02"],
    fault: () => understandAs((options) => ({ ...options, tags: undefined })),
  },
  {
    id: "tag-null",
    title: "Without tags, null is listed",
    killedBy: ["RBS-TAG-03", "RBS-ANSWER-02"],
    fault: () => onTags((tags) => (tags.length === 0 ? null : tags)),
  },
];
