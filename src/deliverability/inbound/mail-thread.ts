import { parentPort } from 'node:worker_threads';

/** What a thread is asked: to begin with a mail, to go on to the next piece, or to stop. */
export type ThreadRequest =
  | {
      readonly kind: 'begin';
      /** The address of the file that exports the function `name`. */
      readonly file: string;
      readonly name: string;
      readonly mail: Uint8Array;
      readonly given: unknown;
    }
  | { readonly kind: 'next' | 'stop' };

export type ThreadAnswer =
  | { readonly kind: 'piece'; readonly piece: unknown }
  | { readonly kind: 'end' }
  | { readonly kind: 'fault'; readonly fault: string };

type MailFunction = (mail: Buffer, given: unknown) => Promise<unknown> | AsyncIterable<unknown>;

const port = parentPort!;
let goOn: (isWanted: boolean) => void = () => {};

port.on('message', (question: ThreadRequest) => {
  if (question.kind === 'begin') void begin(question).then((answer) => port.postMessage(answer));
  else goOn(question.kind === 'next');
});

/** Hands over one piece after the other, each when it is asked for: the whole of what a mail holds may be large. */
async function begin({ file, name, mail, given }: ThreadRequest & { kind: 'begin' }): Promise<ThreadAnswer> {
  try {
    const { [name]: read } = (await import(file)) as Readonly<Record<string, MailFunction>>;
    for await (const piece of piecesOf(read!(Buffer.from(mail.buffer), given))) {
      const asked = new Promise<boolean>((resolve) => (goOn = resolve));
      port.postMessage({ kind: 'piece', piece } satisfies ThreadAnswer);
      if (!(await asked)) break;
    }
    return { kind: 'end' };
  } catch (fault) {
    return { kind: 'fault', fault: fault instanceof Error ? fault.message : String(fault) };
  }
}

function piecesOf(made: ReturnType<MailFunction>): AsyncIterable<unknown> | readonly Promise<unknown>[] {
  return Symbol.asyncIterator in made ? made : [made];
}
