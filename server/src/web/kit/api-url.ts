/** What clients of the API are told as its URL. @param base What addresses that a person opens begin with. */
export function toApiUrl(base: URL): string {
  return base.href.replace(/\/+$/, "");
}
