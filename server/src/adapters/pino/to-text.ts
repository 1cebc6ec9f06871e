/**
 * Renders a line of the log for people at a terminal: the time, the level, the event and its facts. Of an error, it
 * shows the message.
 * @param line A JSON object as Pino writes it.
 * @returns One line, with its line break.
 */
export function toText(line: string): string {
  const { time, level, event, ...facts } = JSON.parse(line) as Record<string, unknown>;
  const clock = new Date(String(time)).toTimeString().slice(0, 8);
  const rest = Object.entries(facts).map(([name, value]) => ` ${name}=${show(value)}`);
  return `${clock} ${String(level).padEnd(5)} ${String(event)}${rest.join("")}\n`;
}

function show(value: unknown): string {
  const shown = isError(value) ? value.message : value;
  if (typeof shown === "string" && /^[\w.:/@+-]+$/.test(shown)) return shown;
  // Escapes all characters that a terminal could take for commands: JSON leaves some.
  return JSON.stringify(shown).replaceAll(
    /[\u007F-\u009F\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function isError(value: unknown): value is { readonly message: string } {
  return typeof value === "object" && value !== null && "message" in value && typeof value.message === "string";
}
