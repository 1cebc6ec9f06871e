import type { SwitchValue } from "../switch-values.ts";

/** A switch that is allowed: its name, what it takes (undefined: nothing), and what it does in one line. */
export type SwitchRow = readonly [name: `--${string}`, value: SwitchValue | undefined, meaning: string];

export type SwitchGroup = { readonly title: string; readonly rows: readonly SwitchRow[] };
