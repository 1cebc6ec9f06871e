/** One line of the table. */
export type Figure = {
  readonly name: string;
  readonly ours: string;
  /** What it is measured against, with its name: `a bare jailed start 262 ms`. */
  readonly baseline: string;
  /** How ours differs from the baseline. */
  readonly compared: string;
  readonly target: string;
  readonly isMet: boolean;
};
