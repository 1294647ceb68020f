import { mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ListsDirectory, type ListTexts, openListsDirectory } from './lists-directory.js';

const FILES = [
  'disposable',
  'free',
  'role',
  'privacy-relays',
  'never-disposable',
  'spam-traps',
  'disposable-mail-hosts',
  'shared-mail-hosts',
];

/** The texts as they were read; a line with a space is an error, as it is to the engine. */
function build(texts: ListTexts): ListTexts {
  for (const [list, text] of Object.entries(texts)) {
    if (text.includes(' ')) throw new Error(`${list}:\n a line with a space`);
  }
  return texts;
}

let directory: string;
let lists: ListsDirectory<ListTexts> | null = null;
let problems: string[];
let touches = 0;

/** Writes in place and gives the file a new time, also where the file system's clock is coarse. */
async function put(name: string, text: string): Promise<void> {
  const path = join(directory, `${name}.txt`);
  await writeFile(path, text);
  touches += 1;
  await utimes(path, touches, touches);
}

async function open(pollMs?: number): Promise<ListsDirectory<ListTexts>> {
  lists = await openListsDirectory({
    directory,
    build,
    onProblem: (line) => problems.push(line),
    ...(pollMs !== undefined && { pollMs }),
  });
  return lists;
}

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lists-'));
  problems = [];
  await Promise.all(FILES.map((name) => put(name, '')));
  await put('disposable', 'mailinator.com\n');
});

afterEach(async () => {
  vi.useRealTimers();
  lists?.close();
  lists = null;
  await rm(directory, { recursive: true });
});

describe('a lists directory', () => {
  it('a lists directory serves what the files say when it is opened', async () => {
    const { current } = await open();
    expect(current().disposable).toBe('mailinator.com\n');
  });

  it('a lists directory keeps its snapshot while no file changes', async () => {
    const { current, refreshIfChanged } = await open();
    const before = current();
    expect(await refreshIfChanged()).toBe(false);
    expect(current()).toBe(before);
  });

  it('a lists directory serves a changed file after a look, and not before', async () => {
    const { current, refreshIfChanged } = await open();
    await put('disposable', 'yopmail.com\n');
    expect(current().disposable).toBe('mailinator.com\n');
    expect(await refreshIfChanged()).toBe(true);
    expect(current().disposable).toBe('yopmail.com\n');
  });

  it('a lists directory sees a change of the same size, and a file moved into place', async () => {
    const { current, refreshIfChanged } = await open();
    await put('disposable', 'mailinator.net\n');
    expect(await refreshIfChanged()).toBe(true);
    expect(current().disposable).toBe('mailinator.net\n');
    await put('fresh', 'mailinator.org\n');
    await rename(join(directory, 'fresh.txt'), join(directory, 'disposable.txt'));
    expect(await refreshIfChanged()).toBe(true);
    expect(current().disposable).toBe('mailinator.org\n');
  });

  it('a lists directory looks by itself while it is open', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { current, refreshIfChanged, close } = await open(1000);
    await put('free', 'gmail.com\n');
    vi.advanceTimersByTime(1000);
    expect(await refreshIfChanged(), 'the look that is under way').toBe(true);
    expect(current().free).toBe('gmail.com\n');
    close();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('a lists directory keeps the snapshot before a broken file, says so once in one line, and recovers when it is mended', async () => {
    const { current, refreshIfChanged } = await open();
    await put('disposable', 'yopmail.com\nnot a domain\n');
    expect(await refreshIfChanged()).toBe(false);
    expect(await refreshIfChanged()).toBe(false);
    expect(current().disposable).toBe('mailinator.com\n');
    expect(problems).toEqual(['lists not reloaded, the ones before stay: disposable: a line with a space']);
    await put('disposable', 'yopmail.com\n');
    expect(await refreshIfChanged()).toBe(true);
    expect(current().disposable).toBe('yopmail.com\n');
  });

  it('a lists directory keeps the snapshot while a file is missing, and says so once', async () => {
    const { current, refreshIfChanged } = await open();
    await rm(join(directory, 'role.txt'));
    expect(await refreshIfChanged()).toBe(false);
    expect(await refreshIfChanged()).toBe(false);
    expect(current().disposable).toBe('mailinator.com\n');
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain('role.txt');
    await put('role', 'info\n');
    expect(await refreshIfChanged()).toBe(true);
    expect(current().role).toBe('info\n');
  });

  it('a lists directory does not open with a missing or broken file, and names it', async () => {
    await put('free', 'not a domain\n');
    await expect(open()).rejects.toThrow('free:');
    await rm(join(directory, 'free.txt'));
    await expect(open()).rejects.toThrow('free.txt');
  });
});
