import { AppError } from '../errors/app-error.js';

/**
 * A place in a listing as callers see it. The listing's name is in it, because the place of a row in one listing means nothing in
 * another; the owner is not, because each read asks for the owner's rows anyway.
 */
export function encodeCursor(listing: string, place: string): string {
  return Buffer.from(`${listing} ${place}`).toString('base64url');
}

/**
 * @param pattern of the place, whole
 * @returns what the pattern's groups hold
 * @throws AppError `invalid_input` for a cursor that this listing cannot have given
 */
export function decodeCursor(listing: string, cursor: string, pattern: RegExp): readonly string[] {
  const place = Buffer.from(cursor, 'base64url')
    .toString()
    .slice(listing.length + 1);
  // Node decodes base64url leniently: only what it would write itself is ours.
  const found = encodeCursor(listing, place) === cursor ? pattern.exec(place) : null;
  if (found === null)
    throw new AppError('invalid_input', { fields: [{ field: 'cursor', error: 'cursor is not one of this listing' }] });
  return found.slice(1);
}
