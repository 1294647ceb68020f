/** A promise that a test settles when it wants to (`Promise.withResolvers` of later Nodes). */
export interface Held<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (reason: Error) => void;
}

export function held<T>(): Held<T> {
  let settle!: Pick<Held<T>, 'resolve' | 'reject'>;
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { promise, ...settle };
}
