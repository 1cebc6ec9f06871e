// Go writes initialisms in one case.
const INITIALISMS: ReadonlyMap<string, string> = new Map([
  ["url", "URL"],
  ["rfbUrl", "RFBURL"],
  ["vncpass", "VNCPass"],
  ["requestId", "RequestID"],
]);

/** Converts a member's name to that of a field in a Go struct. */
export function toGoField(member: string): string {
  return INITIALISMS.get(member) ?? toCoreField(member);
}

/** The name of the same field in openapi-generator's models. */
export function toCoreField(member: string): string {
  return member.charAt(0).toUpperCase() + member.slice(1);
}
