const STAMPED = /^\[[^\]]*\] › +\[[^\]]+\] (.*)$/;

/**
 * Converts a line of Prism's output to a message for people: that it is ready, or what was wrong with a request.
 * @returns Undefined for routine log lines.
 */
export function toLine(text: string): string | undefined {
  const [, rest] = STAMPED.exec(text) ?? [];
  // Show lines of an unknown form unchanged.
  if (rest === undefined) return text === "" ? undefined : text;
  const [, url] = /Prism is listening on (\S+)/.exec(rest) ?? [];
  if (url !== undefined) return `The mock answers on ${url}`;
  // Ignore violations in responses: they concern headers that Prism made up.
  const [, wrong] = /Violation: request\S* (.*)$/.exec(rest) ?? [];
  if (wrong !== undefined) return `A request is not what the contract describes: ${wrong}`;
  const [, method, path, reason] = /^(\w+) (\S+) .*Request terminated with error: \S+: (.*)$/.exec(rest) ?? [];
  return method === undefined ? undefined : `${method.toUpperCase()} ${path}: ${reason}`;
}
