/**
 * The URL that a text is, null when it is none. Once Node 20 and 22 have compiled `URL.canParse`, it denies what has a letter beyond ASCII
 * (`https://bücher.example/`), so nothing here asks it.
 */
export function readUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
