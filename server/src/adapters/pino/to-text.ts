/**
 * Renders a log line for a terminal: time, level, event and facts. Errors are reduced to their messages.
 * @param line A JSON object from Pino.
 * @returns The rendered line with a line break.
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
  // Escapes the control characters that JSON doesn't escape but terminals interpret.
  return JSON.stringify(shown).replaceAll(
    /[\u007F-\u009F\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function isError(value: unknown): value is { readonly message: string } {
  return typeof value === "object" && value !== null && "message" in value && typeof value.message === "string";
}
