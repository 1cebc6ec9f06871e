/** Whether a name or an address, with or without brackets, is one that only this machine has. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|\[?::1\]?|127(?:\.\d{1,3}){3})$/i.test(host);
}
