import { describe, expect, it } from 'vitest';
import { addressLines } from './address-source.js';

async function* pieces(...texts: string[]): AsyncGenerator<string> {
  yield* texts;
}

async function collect(lines: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

const linesOf = (...texts: string[]): Promise<string[]> => collect(addressLines(pieces(...texts)));

describe('the lines of an input', () => {
  it.each<[string, string[], string[]]>([
    [
      'ended by LF or CRLF, the last one by nothing',
      ['a@b.example\nc@d.example\r\ne@f.example'],
      ['a@b.example', 'c@d.example', 'e@f.example'],
    ],
    ['in pieces that end anywhere', ['a@b', '.exam', 'ple\r', '\nc', '\n'], ['a@b.example', 'c']],
    ['without white space around them, and without empty ones', ['  a \n\n \t\n b'], ['a', 'b']],
    ['after a byte order mark', ['\uFEFFa\nb'], ['a', 'b']],
    ['of an empty input', [], []],
  ])('the lines of an input are told %s', async (_, given, lines) => {
    expect(await linesOf(...given)).toEqual(lines);
  });

  it('the lines of an input are cut where no address can go on, so that a file without line ends is not held whole', async () => {
    const [line, next] = await linesOf(...Array.from({ length: 100 }, () => 'x'.repeat(1_000)), '\nnext');
    expect(line).toHaveLength(4_096);
    expect(next).toBe('next');
  });
});
