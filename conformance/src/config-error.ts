/** What a person who runs the suite got wrong, all of it together. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";

  constructor(mistakes: readonly string[]) {
    super(mistakes.join("\n"));
  }
}
