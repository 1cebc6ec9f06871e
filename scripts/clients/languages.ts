import { go } from "./go/go.ts";
import { java } from "./java/java.ts";
import type { Language } from "./language.ts";
import { python } from "./python/python.ts";
import { typescript } from "./typescript/typescript.ts";

export const LANGUAGES: readonly Language[] = [typescript, python, go, java];
