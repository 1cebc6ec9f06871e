import type { SwitchValue } from "../switch-values.ts";

/** An allowed switch: its name, its value (undefined: it takes none), and what it does in one line. */
export type SwitchRow = readonly [name: `--${string}`, value: SwitchValue | undefined, meaning: string];

export type SwitchGroup = { readonly title: string; readonly rows: readonly SwitchRow[] };
