/** Hands out the members of groups, one for each call. A plain iterator, because a generator that yields each member is much slower. */
export class OneByOne<T> implements AsyncGenerator<T, void, void> {
  #group: readonly T[] = [];
  #at = 0;
  #next: Promise<boolean> | null = null;

  constructor(private readonly groups: AsyncGenerator<readonly T[], void, void>) {}

  next(): Promise<IteratorResult<T, void>> {
    if (this.#at < this.#group.length) return Promise.resolve({ value: this.#group[this.#at++]!, done: false });
    return this.#nextGroup();
  }

  async return(): Promise<IteratorResult<T, void>> {
    this.#group = [];
    await this.groups.return();
    return { value: undefined, done: true };
  }

  async throw(error: unknown): Promise<IteratorResult<T, void>> {
    this.#group = [];
    await this.groups.throw(error);
    return { value: undefined, done: true };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  async #nextGroup(): Promise<IteratorResult<T, void>> {
    // Several calls may wait for the same group, which may be too small for them.
    while (this.#at >= this.#group.length) {
      if (!(await (this.#next ??= this.#fill()))) return { value: undefined, done: true };
    }
    return { value: this.#group[this.#at++]!, done: false };
  }

  async #fill(): Promise<boolean> {
    try {
      const { value, done } = await this.groups.next();
      if (done === true) return false;
      this.#group = value;
      this.#at = 0;
      return true;
    } finally {
      this.#next = null;
    }
  }
}
