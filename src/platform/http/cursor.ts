import { invalidField } from '../errors/app-error.js';

/**
 * A position in a listing in the form for callers. It includes the listing's name, because a position means nothing in another
 * listing, and leaves out the owner, because each read asks for the owner's rows anyway.
 */
export function encodeCursor(listing: string, position: string): string {
  return Buffer.from(`${listing} ${position}`).toString('base64url');
}

/**
 * @param pattern of the position, whole
 * @returns the groups of the pattern
 * @throws AppError `invalid_input` for a cursor that this listing cannot have given
 */
export function decodeCursor(listing: string, cursor: string, pattern: RegExp): readonly string[] {
  const position = Buffer.from(cursor, 'base64url')
    .toString()
    .slice(listing.length + 1);
  // Node decodes base64url leniently, so only a text that encodes to itself again is one of ours.
  const found = encodeCursor(listing, position) === cursor ? pattern.exec(position) : null;
  if (found === null) throw invalidField('cursor', 'is not one of this listing');
  return found.slice(1);
}
