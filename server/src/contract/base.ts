/**
 * What addresses handed out begin with.
 * @param requestUrl The request's own URL, with the host the client addressed.
 * @param publicUrl `RBS_PUBLIC_URL`, which goes before it.
 */
export function toBase(requestUrl: string, publicUrl: URL | undefined): URL {
  return publicUrl ?? new URL("/", requestUrl);
}
