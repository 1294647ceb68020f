/** A text from outside, without bytes that a terminal would obey and characters that turn the direction of writing. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD');
}
