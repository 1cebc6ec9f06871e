/**
 * Bytes of the head of a request. Chromium's addresses have up to 2 MB, and the cookies of a site several 100 KB. So that a browser
 * can't fill the server's memory, only some of its connections take so much at the same time: more than it has for plain requests.
 */
export const [MAX_LONG_HEAD, LONG_HEADS, MAX_HEAD] = [3 * 2 ** 20, 64, 2 ** 16] as const;

/** Bytes of the head of an answer. Chromium itself refuses more than 256 KB. */
export const MAX_ANSWER_HEAD = 2 ** 19;

/** Headers of a message; further ones are dropped. Each takes some microseconds of the server's time. */
export const MAX_HEADERS = 4000;
