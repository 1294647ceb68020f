import { Worker } from 'node:worker_threads';
import type { OnApplicationShutdown } from '@nestjs/common';
import { Semaphore } from '../../lib/semaphore.js';
import type { Timer } from '../../platform/clock.js';
import { AppError } from '../../platform/errors/app-error.js';
import type { ThreadAnswer, ThreadRequest } from './mail-thread.js';

export const READING_LIMITS = {
  /** Each holds a mail and what is unpacked of it. */
  threads: 2,
  /** So that another's mail is read beside one that takes its thread for all of its time. */
  threadsOfTurn: 1,
  /** What one mail may take of its thread: the largest report that the reader accepts takes a tenth of it on a busy machine. */
  readMs: 15_000,
  /** Of the heap of JavaScript: a report of 20,000 records takes 30. The bytes of a mail are not in it, nor those that are unpacked. */
  heapMb: 128,
  /** Mails that wait for a thread: the receiver has fewer connections. */
  waiting: 100,
  waitingOfTurn: 25,
  /** Who has waited so long is told to come again: longer than two others may take. */
  waitMs: 40_000,
  /** A thread without a mail ends after so long: it holds some 20 MB. */
  idleMs: 60_000,
};

/** A function that a file exports. It gets the mail and what is given beside it, and makes one value or several pieces. */
export interface ThreadWork {
  /** Beside the file that asks: `new URL('./read.js', import.meta.url)`. */
  readonly file: URL;
  readonly name: string;
}

export interface MailToRead {
  readonly mail: Uint8Array;
  /** Anything that can be cloned. */
  readonly given?: unknown;
  /** Mails take turns by this name: an account, or the network that sends. */
  readonly turn: string;
}

/** The mails of one turn. */
interface Line {
  readonly places: Semaphore;
  /** Those that wait and those that are read. */
  size: number;
}

/** Reading the mail took more than a thread may have, and the thread has ended. */
export class ReadingEnded extends Error {
  constructor(readonly why: 'too_long' | 'too_large') {
    super(`reading a mail was ended: ${why}`);
  }
}

/**
 * The threads in which mails and archives are read, whoever sent them: none of them holds the event loop up, and one that takes too long or
 * too much memory ends a thread and nothing else. Threads start with the first mail.
 *
 * No package does this as it is wanted here: `piscina` brings a native binary along, and `tinypool` forgets a thread that it ends before the
 * thread has ended, and leaves waiting work without a thread after it.
 */
export class ReadingThreads implements OnApplicationShutdown {
  readonly limits = { ...READING_LIMITS };
  readonly #permits = new Semaphore(READING_LIMITS.threads);
  readonly #all = new Set<MailThread>();
  readonly #idle: MailThread[] = [];
  readonly #lines = new Map<string, Line>();

  constructor(private readonly timer: Timer) {}

  /** How many threads there are. */
  get size(): number {
    return this.#all.size;
  }

  /** The one value that the work makes. @throws ReadingEnded; AppError `unavailable` when too many mails wait */
  async read<Value>(work: ThreadWork, mail: MailToRead): Promise<Value> {
    for await (const value of this.pieces<Value>(work, mail)) return value;
    throw new Error(`${work.name} made nothing of a mail`);
  }

  /** The pieces that the work makes, each made when it is asked for. The time in between is not the mail's. @throws as `read` */
  async *pieces<Piece>(work: ThreadWork, mail: MailToRead): AsyncGenerator<Piece> {
    const line = this.#enter(mail.turn);
    try {
      const leave = await this.#place(line);
      let thread: MailThread | null = null;
      try {
        thread = this.#take();
        yield* thread.pieces<Piece>(work, mail);
      } finally {
        // A thread that ends keeps its place until it has: there are never more of them than places.
        if (thread?.isBroken) await this.#end(thread);
        else if (thread !== null) this.#keep(thread);
        leave();
      }
    } finally {
      line.size -= 1;
      if (line.size === 0) this.#lines.delete(mail.turn);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.#all].map((thread) => this.#end(thread)));
  }

  #enter(turn: string): Line {
    const { threads, threadsOfTurn, waiting, waitingOfTurn } = this.limits;
    const line = this.#lines.get(turn) ?? { places: new Semaphore(threadsOfTurn), size: 0 };
    const all = [...this.#lines.values()].reduce((sum, { size }) => sum + size, 0);
    if (line.size >= threadsOfTurn + waitingOfTurn || all >= threads + waiting) throw tooManyMails();
    line.size += 1;
    this.#lines.set(turn, line);
    return line;
  }

  /** Waits for one of the line's places, and then for a thread: a line has one mail among those that wait for it. @returns what gives both back */
  async #place({ places }: Line): Promise<() => void> {
    const waiting = new AbortController();
    const cancel = this.timer.after(this.limits.waitMs, () => waiting.abort(tooManyMails()));
    try {
      const own = await places.acquire(waiting.signal);
      const permit = await this.#permits.acquire(waiting.signal).catch((error: unknown) => {
        own.release();
        throw error;
      });
      return () => {
        permit.release();
        own.release();
      };
    } finally {
      cancel();
    }
  }

  #take(): MailThread {
    const idle = this.#idle.pop();
    if (idle !== undefined) return idle;
    const thread = new MailThread(this.limits, this.timer, () => void this.#end(thread));
    this.#all.add(thread);
    return thread;
  }

  #keep(thread: MailThread): void {
    this.#idle.push(thread);
    thread.rest(() => void this.#end(thread));
  }

  async #end(thread: MailThread): Promise<void> {
    const at = this.#idle.indexOf(thread);
    if (at >= 0) this.#idle.splice(at, 1);
    await thread.end();
    this.#all.delete(thread);
  }
}

function tooManyMails(): AppError {
  return new AppError('unavailable', { retryAfterSeconds: 10 });
}

const GONE = 'a thread that reads mails has ended';

interface Waiting {
  resolve(answer: ThreadAnswer): void;
  reject(error: Error): void;
}

/** One thread, which reads one mail at a time. It answers each question once. */
class MailThread {
  readonly #worker: Worker;
  #waiting: Waiting | null = null;
  #cancelRest = (): void => {};
  #isBroken = false;

  /** @param onBroken told of a thread that breaks while it has no mail */
  constructor(
    private readonly limits: Pick<typeof READING_LIMITS, 'readMs' | 'heapMb' | 'idleMs'>,
    private readonly timer: Timer,
    onBroken: () => void,
  ) {
    this.#worker = new Worker(new URL('./mail-thread.js', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: limits.heapMb },
      // A parser that a mail takes over finds no secret there, and flags of the process are not the thread's.
      env: {},
      execArgv: [],
    });
    this.#worker.on('message', (answer: ThreadAnswer) => this.#waiting?.resolve(answer));
    const broken = (error: Error): void => {
      this.#isBroken = true;
      if (this.#waiting === null) onBroken();
      else this.#waiting.reject(error);
    };
    this.#worker.on('error', (error: NodeJS.ErrnoException) =>
      broken(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new ReadingEnded('too_large') : error),
    );
    this.#worker.on('exit', () => broken(new Error(GONE)));
    this.#worker.unref();
  }

  get isBroken(): boolean {
    return this.#isBroken;
  }

  async *pieces<Piece>({ file, name }: ThreadWork, { mail, given }: MailToRead): AsyncGenerator<Piece> {
    this.#cancelRest();
    // The one copy of the mail: the thread gets it for good, and the original stays with whoever has it.
    const copy = new Uint8Array(mail);
    const begin = { kind: 'begin', file: file.href, name, mail: copy, given } as const;
    let leftMs = this.limits.readMs;
    const ask = async (question: ThreadRequest, transfer: ArrayBuffer[] = []): Promise<ThreadAnswer> => {
      const begun = performance.now();
      const answer = await this.#ask(question, transfer, leftMs);
      leftMs -= performance.now() - begun;
      return answer;
    };
    this.#worker.ref();
    let answer = await ask(begin, [copy.buffer]);
    try {
      for (; answer.kind === 'piece'; answer = await ask({ kind: 'next' })) yield answer.piece as Piece;
      if (answer.kind === 'fault') throw new Error(answer.fault);
    } finally {
      if (answer.kind === 'piece' && !this.#isBroken) await ask({ kind: 'stop' });
    }
  }

  /** @param onOver told when the thread has had no mail for long */
  rest(onOver: () => void): void {
    this.#worker.unref();
    this.#cancelRest = this.timer.after(this.limits.idleMs, onOver);
  }

  /** Resolves when it has ended, whatever it is doing. */
  async end(): Promise<void> {
    this.#cancelRest();
    this.#isBroken = true;
    await this.#worker.terminate();
  }

  async #ask(question: ThreadRequest, transfer: ArrayBuffer[], withinMs: number): Promise<ThreadAnswer> {
    let cancel = (): void => {};
    if (this.#isBroken) throw new Error(GONE);
    try {
      return await new Promise<ThreadAnswer>((resolve, reject) => {
        this.#waiting = { resolve, reject };
        cancel = this.timer.after(Math.max(0, withinMs), () => {
          this.#isBroken = true;
          reject(new ReadingEnded('too_long'));
        });
        this.#worker.postMessage(question, transfer);
      });
    } finally {
      cancel();
      this.#waiting = null;
    }
  }
}
