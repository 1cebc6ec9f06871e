/** One line of the table. */
export type Figure = {
  readonly name: string;
  readonly ours: string;
  /** The baseline with its name: `a sandboxed start 262 ms`. */
  readonly baseline: string;
  /** How ours differs from the baseline. */
  readonly compared: string;
  readonly target: string;
  readonly isMet: boolean;
};
