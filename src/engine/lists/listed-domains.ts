import type { ListFile } from './list-file.js';

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
