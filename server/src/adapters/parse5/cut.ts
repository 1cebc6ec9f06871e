/** How much of the text may go to waste for the sake of a better place to cut. */
const MAX_WASTE = 0.2;

/** The beginning of a page's text, cut between two blocks or at least between two words, never inside a tag. */
export function cut(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const start = text.slice(0, maxChars);
  const least = maxChars * (1 - MAX_WASTE);
  const places = [start.lastIndexOf("\n"), start.lastIndexOf(" ")];
  const whole = start.slice(0, places.find((place) => place >= least) ?? maxChars);
  const tag = whole.lastIndexOf("<");
  const isInTag = tag > whole.lastIndexOf(">");
  // A character of two units may have lost its second.
  return (isInTag ? whole.slice(0, tag) : whole).replace(/[\uD800-\uDBFF]$/, "").trimEnd();
}
