/** As much of an address as tells it from others, and far too little to connect by. */
export function toShortAddress(address: string): string {
  const { protocol, pathname } = new URL(address);
  return `${protocol}//…/${pathname.slice(pathname.lastIndexOf("/") + 1).slice(0, 4)}…`;
}
