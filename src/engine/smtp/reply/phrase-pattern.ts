/**
 * The language of the decision table's phrases. A phrase is a sequence of words of a reply, in lower case, without
 * punctuation, accents and apostrophes (`doesnt`); it is met where those words follow one another as whole words.
 *
 *   word*  *word*   a word that begins so; a word that has it inside
 *   *               any one word
 *   #               a number
 *   ..  ...         up to 3, up to 7 words between
 *   (a|b c)         one of these
 *   (a|b)?          one of these, or nothing
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

function phraseSource(phrase: string): string {
  return phrase.match(PIECE)!.map(pieceSource).join('');
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
