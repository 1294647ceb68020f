import { Readable } from 'node:stream';
import { IsOptional, IsString } from 'class-validator';
import { describe, expect, it } from 'vitest';
import { InputPipe } from './input-checks.js';

class Input {
  @IsOptional()
  @IsString()
  readonly name?: string;
}

class Other {
  readonly name = 'x';
}

const pipe = new InputPipe();
const read = (value: unknown) => pipe.transform(value, { type: 'body', metatype: Input });

describe('the input pipe', () => {
  it.each([
    ['a stream', Readable.from([])],
    ['bytes', Buffer.from('{}')],
    ['a map', new Map()],
    ['an object of a class', new Other()],
  ])('the input pipe never lets class-transformer walk into %s', async (_, value) => {
    await expect(read(value)).rejects.toMatchObject({ code: 'unsupported_media_type' });
  });

  it('the input pipe takes what JSON and queries are made of', async () => {
    expect(await read({ name: 'x' })).toEqual({ name: 'x' });
    expect(await read(Object.assign(Object.create(null), { name: 'x' }))).toEqual({ name: 'x' });
    expect(await read(Object.assign(Object.create(Object.create(null)), { name: 'x' }))).toEqual({ name: 'x' });
  });
});
