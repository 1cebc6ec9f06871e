/** Reports all errors in the command line and in the files that it names. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";

  constructor(mistakes: readonly string[]) {
    super(mistakes.join("\n"));
  }
}
