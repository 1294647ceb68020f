export type EntryKind = 'domain' | 'role' | 'domain or hash' | 'host with count';

const DOMAIN =
  '(?=[a-z0-9_.-]{3,253}(?![a-z0-9_.-]))(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\\.)+[a-z][a-z0-9-]*[a-z0-9]';
const LETTERS = '\\p{Ll}\\p{Lo}\\p{M}\\p{N}';

/** The first line that is neither an entry nor a comment nor empty. One expression for a whole file: line by line takes ten times as long. */
const WRONG_LINE: Readonly<Record<EntryKind, RegExp>> = {
  domain: otherLine(DOMAIN),
  role: otherLine(`[${LETTERS}._-]{1,64}\\*?|\\+[${LETTERS}]{1,64}`),
  'domain or hash': otherLine(`${DOMAIN}|[0-9a-f]{64}`),
  'host with count': otherLine(`${DOMAIN} [1-9]\\d{0,8}`),
};

/** What a line may have beside its entry: a comment behind it, spaces around it. */
const BESIDE_ENTRY = /[^\S\n]*#[^\n]*|[^\S\n]+(?=\n|$)|(?<=\n|^)[^\S\n]+/g;

function otherLine(entry: string): RegExp {
  return new RegExp(`(?:^|\\n)(?!(?:${entry}|#[^\\n]*)?(?:\\n|$))([^\\n]*)`, 'u');
}

/** The last lines of each list that were right: they are checked once, however many engines take them and whichever other list changes. */
const checked = new Map<string, string>();

/**
 * A list file, checked: one entry a line, `#` starts a comment, empty lines are skipped. It is kept as the text that it is, because a
 * command that asks about one address is over before an index of all entries would be made.
 */
export class ListFile {
  /** With a line break on either side of every entry. */
  readonly #lines: string;

  /** @throws Error naming list and line at the first entry that is not of the kind. */
  constructor(list: string, text: string, kind: EntryKind) {
    const lines = `\n${text}\n`;
    const known = checked.get(`${list} ${kind}`);
    if (known === lines) {
      this.#lines = known;
      return;
    }
    this.#lines = `\n${bareLines(list, text, kind)}\n`;
    // A list that holds nobody is checked in no time, and does not take the place of one that does.
    if (text !== '') checked.set(`${list} ${kind}`, this.#lines);
  }

  /** Reads the whole text. */
  has(entry: string): boolean {
    return this.#lines.includes(`\n${entry}\n`);
  }

  entries(): readonly string[] {
    return this.#lines.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  }
}

function bareLines(list: string, text: string, kind: EntryKind): string {
  let bare = text;
  let wrong = WRONG_LINE[kind].exec(bare);
  if (wrong !== null) {
    bare = text.replaceAll(BESIDE_ENTRY, '');
    wrong = WRONG_LINE[kind].exec(bare);
  }
  if (wrong === null) return bare;
  const line = bare.slice(0, wrong.index + wrong[0].length).split('\n').length;
  throw new Error(`${list}.txt line ${line}: ${JSON.stringify(wrong[1])} is not a ${kind}`);
}

/** To make an index takes about as long as so many searches of the texts. */
const SEARCHES_BEFORE_INDEX = 100;

/**
 * Which lists name a domain. The texts are searched for the first domains; who goes on asking gets an index, so that neither a command
 * for one address nor a service pays for what only the other needs.
 */
export class ListedDomains {
  #index: ReadonlyMap<string, number> | null = null;
  #searches = 0;

  /** @param lists each with its flag, a bit */
  constructor(private readonly lists: readonly (readonly [flag: number, list: ListFile])[]) {}

  /** The flags of the lists that name this very domain. */
  flagsOf(domain: string): number {
    if (this.#index === null) {
      this.#searches += 1;
      if (this.#searches <= SEARCHES_BEFORE_INDEX) return this.#search(domain);
      this.#index = this.#indexed();
    }
    return this.#index.get(domain) ?? 0;
  }

  /** The flags of a domain and of all its parents but the top-level domain, which no list names. */
  flagsWithParents(domain: string): number {
    let flags = 0;
    for (let name = domain, dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.')) {
      flags |= this.flagsOf(name);
      name = name.slice(dot + 1);
    }
    return flags;
  }

  #search(domain: string): number {
    return this.lists.reduce((flags, [flag, list]) => (list.has(domain) ? flags | flag : flags), 0);
  }

  #indexed(): ReadonlyMap<string, number> {
    const index = new Map<string, number>();
    for (const [flag, list] of this.lists)
      for (const entry of list.entries()) index.set(entry, (index.get(entry) ?? 0) | flag);
    return index;
  }
}
