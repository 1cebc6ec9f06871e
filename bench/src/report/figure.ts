/** One row of the table. */
export type Figure = {
  readonly name: string;
  readonly ours: string;
  /** The baseline's name and value, such as `raw start 262 ms`. */
  readonly baseline: string;
  /** The difference from the baseline, or the ratio. */
  readonly compared: string;
  readonly target: string;
  readonly isMet: boolean;
};
