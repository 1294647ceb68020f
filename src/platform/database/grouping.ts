interface Waiting<In, Out> {
  readonly item: In;
  readonly resolve: (result: Out) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Does many small things in few rounds: what comes while a round runs waits for the next one. With one caller every item is a
 * round of its own; with many, PostgreSQL sees one statement and one commit instead of hundreds. Only one round runs at a
 * time, so those of a process never wait for each other's locks.
 */
export class Grouping<In, Out> {
  private waiting: Waiting<In, Out>[] = [];
  private running = false;

  /**
   * @param round answers all items, in their order; when it fails, all of them fail
   * @param most items of a round
   */
  constructor(
    private readonly round: (items: readonly In[]) => Promise<readonly Out[]>,
    private readonly most: number,
  ) {}

  add(item: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      if (!this.running) void this.run();
    });
  }

  private async run(): Promise<void> {
    this.running = true;
    while (this.waiting.length > 0) await this.finish(this.waiting.splice(0, this.most));
    this.running = false;
  }

  private async finish(group: readonly Waiting<In, Out>[]): Promise<void> {
    try {
      const results = await this.round(group.map(({ item }) => item));
      group.forEach(({ resolve }, i) => resolve(results[i]!));
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }
}
