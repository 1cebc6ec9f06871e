// Go writes initialisms in one case.
const INITIALISMS: ReadonlyMap<string, string> = new Map([
  ["id", "ID"],
  ["url", "URL"],
  ["rfbUrl", "RFBURL"],
  ["vncpass", "VNCPass"],
  ["requestId", "RequestID"],
]);

/** Converts a member's name to the name of a field in a Go struct. */
export function toGoField(member: string): string {
  return INITIALISMS.get(member) ?? toCoreField(member);
}

/** Members in seconds, for which Go has a type. */
export function isSeconds(member: string): boolean {
  return /^(KeepOpen|Lifetime|MaxLifetime|WaitForPlace)$/.test(toCoreField(member));
}

/** The name of the same field in openapi-generator's models. */
export function toCoreField(member: string): string {
  return member.charAt(0).toUpperCase() + member.slice(1);
}
