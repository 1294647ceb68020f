interface Node<K, V> {
  readonly key: K;
  readonly value: V;
  older: Node<K, V>;
  newer: Node<K, V>;
}

/**
 * A map that holds the most recently used entries only.
 *
 * The entries are linked in the order of use, in a ring: the newest one's `newer` is the oldest. `get` and `set` move an entry to the
 * newest end; an entry more than allowed drops the oldest one. To delete and set again in a `Map`, or to delete a `Map`'s first entry when
 * it is full, the usual ways, makes V8 walk over all that was deleted before, so that they grow slower the larger the map is.
 */
export class LruMap<K, V extends {} | null> {
  readonly #nodes = new Map<K, Node<K, V>>();
  #newest: Node<K, V> | null = null;

  constructor(private readonly maxEntries: number) {}

  get size(): number {
    return this.#nodes.size;
  }

  /** Makes the entry the most recently used one. */
  get(key: K): V | undefined {
    const node = this.#nodes.get(key);
    if (node === undefined) return undefined;
    if (node !== this.#newest) {
      this.#unlink(node);
      this.#linkAsNewest(node);
    }
    return node.value;
  }

  /** Drops the least recently used entry when there would be more than allowed. */
  set(key: K, value: V): void {
    this.delete(key);
    if (this.#newest !== null && this.#nodes.size >= this.maxEntries) this.delete(this.#newest.newer.key);
    const node = { key, value } as Node<K, V>;
    this.#nodes.set(key, node);
    this.#linkAsNewest(node);
  }

  /** In no order that means anything; changes none. */
  *entries(): Generator<readonly [K, V]> {
    for (const [key, { value }] of this.#nodes) yield [key, value];
  }

  delete(key: K): void {
    const node = this.#nodes.get(key);
    if (node === undefined) return;
    this.#nodes.delete(key);
    this.#unlink(node);
  }

  #linkAsNewest(node: Node<K, V>): void {
    const before = this.#newest ?? node;
    node.older = before;
    node.newer = this.#newest?.newer ?? node;
    node.older.newer = node;
    node.newer.older = node;
    this.#newest = node;
  }

  #unlink(node: Node<K, V>): void {
    if (this.#newest === node) this.#newest = node.older === node ? null : node.older;
    node.older.newer = node.newer;
    node.newer.older = node.older;
  }
}
