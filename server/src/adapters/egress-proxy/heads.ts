/**
 * Bytes of the head of a request. Chromium allows URLs of 2 MB, and a site's cookies can take several hundred KB. Only
 * 64 connections of a browser take long heads at the same time, which bounds the server's memory. Chromium has fewer
 * connections for plain requests.
 */
export const [MAX_LONG_HEAD, LONG_HEADS, MAX_HEAD] = [3 * 2 ** 20, 64, 2 ** 16] as const;

/** Bytes of the head of an answer. Chromium itself refuses more than 256 KB. */
export const MAX_ANSWER_HEAD = 2 ** 19;

/** Headers of a message; further ones are dropped. Each takes some microseconds of the server's time. */
export const MAX_HEADERS = 4000;
