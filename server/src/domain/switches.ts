export function readSwitches(args: readonly string[]): { switches: string[] } {
  return { switches: [...args] };
}
export function readIgnoredSwitches(args: readonly string[]): { switches: string[] } {
  return { switches: [...args] };
}
