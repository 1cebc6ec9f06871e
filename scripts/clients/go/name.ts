// Go writes initialisms in one case.
const INITIALISMS: ReadonlyMap<string, string> = new Map([
  ["url", "URL"],
  ["rfbUrl", "RFBURL"],
  ["vncpass", "VNCPass"],
  ["requestId", "RequestID"],
]);

/** What a member of the contract is called as a field of a Go struct. */
export function toGoField(member: string): string {
  return INITIALISMS.get(member) ?? toCoreField(member);
}

/** What openapi-generator calls the same field in its models. */
export function toCoreField(member: string): string {
  return member.charAt(0).toUpperCase() + member.slice(1);
}
