/**
 * Whether something of a text is seen where it is shown. Letters may be blank as well: Hangul fillers, which Unicode lists
 * among what is ignored by default, and the Braille pattern without dots.
 */
export function isVisible(text: string): boolean {
  return /[^\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);
}
