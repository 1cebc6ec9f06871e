const STAMPED = /^\[[^\]]*\] › +\[[^\]]+\] (.*)$/;

/**
 * What people want to know of a line that Prism prints: that it is ready, and what was wrong with a request.
 * @returns Undefined for the steps that every request takes.
 */
export function toLine(text: string): string | undefined {
  const [, rest] = STAMPED.exec(text) ?? [];
  // What is not of its usual form is nothing usual.
  if (rest === undefined) return text === "" ? undefined : text;
  const [, url] = /Prism is listening on (\S+)/.exec(rest) ?? [];
  if (url !== undefined) return `The mock answers on ${url}`;
  // Its violations in answers are of headers that it made up itself.
  const [, wrong] = /Violation: request\S* (.*)$/.exec(rest) ?? [];
  if (wrong !== undefined) return `A request is not what the contract describes: ${wrong}`;
  const [, method, path, reason] = /^(\w+) (\S+) .*Request terminated with error: \S+: (.*)$/.exec(rest) ?? [];
  return method === undefined ? undefined : `${method.toUpperCase()} ${path}: ${reason}`;
}
