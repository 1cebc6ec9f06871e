/**
 * Maximum size of a request's head. Chromium allows URLs of 2 MB, and a site's cookies can total several hundred KB. To
 * limit memory use, only 64 connections per browser accept long heads; Chromium uses fewer for plain requests.
 */
export const [MAX_LONG_HEAD, LONG_HEADS, MAX_HEAD] = [3 * 2 ** 20, 64, 2 ** 16] as const;

/** Maximum size of a response's head, in bytes. Chromium refuses more than 256 KB. */
export const MAX_ANSWER_HEAD = 2 ** 19;

/** Maximum number of headers. Further headers are dropped, because each one takes a few microseconds to process. */
export const MAX_HEADERS = 4000;
