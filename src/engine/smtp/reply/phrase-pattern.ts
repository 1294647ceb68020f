import { plainLetters } from './reply-words.js';

/**
 * The language of the phrases in `config/smtp-replies/`. A phrase is a sequence of words of a reply, in lower case, without
 * punctuation and apostrophes (`doesnt`); it is met where those words follow one another as whole words. Accents make no difference.
 *
 *   word*  *word*   a word that begins so; a word that has it inside
 *   *               any one word
 *   #               a number
 *   ..  ...         up to 3, up to 7 words between
 *   (a|b c)         one of these
 *   (a|b)?          one of these, or nothing
 *   {list}          any phrase of that list
 *   a.b.c           a host name of the reply, kept whole: its parts are no words (`spam.example.com` is not `spam`)
 *   *.*             any host name
 *   SENDER          our sender address, or a host of its domain
 *   IP              any IP address
 *   LOOKUP          after a host: it was in a URL that asks about an IP address
 */
export function phrasePattern(phrases: readonly string[]): RegExp {
  // Every word of the text has a space on both sides, so a pattern is a space and then words that each end in one.
  return new RegExp(` (?:${phrases.map(phraseSource).join('|')})`);
}

const PIECE = /\(|\)\??|\||[^\s()|]+/g;
const NAMES = /\b(SENDER|IP|LOOKUP)\b|\{[a-z]+(-[a-z]+)*\}/g;
/** Of a phrase with a word in the place of each name. */
const WRONG_CHARACTER = /[^\p{Ll}\p{Lo}\p{Lm}\d ()|?*.#_-]/u;
const WRONG_PLACE = /[^)]\?|^\?|(^|[(|]) *(\||\)|$)/;

/** Whether the text is a phrase, so that a pattern can be made of it; which lists there are is not asked. */
export function isPhrase(text: unknown): text is string {
  if (typeof text !== 'string') return false;
  const words = plainLetters(text.replaceAll(NAMES, 'word'));
  return !WRONG_CHARACTER.test(words) && !WRONG_PLACE.test(words) && isBalanced(words);
}

function isBalanced(phrase: string): boolean {
  let open = 0;
  for (const character of phrase) {
    if (character === '(') open += 1;
    if (character === ')') open -= 1;
    if (open < 0) return false;
  }
  return open === 0;
}

function phraseSource(phrase: string): string {
  return plainLetters(phrase).match(PIECE)!.map(pieceSource).join('');
}

function pieceSource(piece: string): string {
  switch (piece) {
    case '(':
      return '(?:';
    case ')':
    case ')?':
    case '|':
      return piece;
    case '..':
      return '(?:\\S+ ){0,3}?';
    case '...':
      return '(?:\\S+ ){0,7}?';
    case '*':
      return '\\S+ ';
    case '*.*':
      return '[^\\s_]+_\\S* ';
    case '#':
      return '\\d+ ';
    default:
      return `${piece.replaceAll(/[.-]/g, '_').replaceAll('*', '\\S*')} `;
  }
}
