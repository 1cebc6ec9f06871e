/**
 * Whether a string contains a visible character. Some letters are blank: Hangul fillers, which Unicode lists as
 * ignorable, and the Braille pattern without dots.
 */
export function isVisible(text: string): boolean {
  return /[^\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);
}
