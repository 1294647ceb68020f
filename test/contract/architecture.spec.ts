import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  cyclesOfFolders,
  cyclesOfRooms,
  findViolations,
  lonelyFiles,
  packagesLoadedWith,
  readSources,
  type SourceTree,
  unusedArrows,
  featureFolders,
} from '../support/architecture.js';
import { crowdedFolders } from '../support/naming-rules.js';

const ROOT = join(import.meta.dirname, '../..');

const PATHS = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('vite.config.ts'))
  .map((file) => `src/${file.replaceAll('\\', '/')}`);

// Without what is generated from the documents.
const OURS = PATHS.filter((file) => !file.endsWith('.spec.ts') && !file.startsWith('src/client/documents/'));

const inTree = (files: Record<string, string>): string[] => findViolations(readSources(new Map(Object.entries(files))));

describe('the house', () => {
  let house: SourceTree = new Map();
  beforeAll(() => {
    house = readSources(new Map(OURS.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')])));
  });
  // The files of a worker share its memory.
  afterAll(() => {
    house = new Map();
  });

  it('the house keeps its rules', () => {
    expect(findViolations(house)).toEqual([]);
  });

  it('the house allows no import that nobody needs', () => {
    expect(unusedArrows(house)).toEqual([]);
  });

  it('the house has no two rooms that reach each other', () => {
    expect(cyclesOfRooms()).toEqual([]);
    expect(cyclesOfRooms({ keys: ['credits/ledger'], credits: ['platform', 'keys'], platform: [] })).toEqual([
      'keys -> credits -> keys',
    ]);
  });

  it('the house has no two folders that reach each other', () => {
    expect(cyclesOfFolders(house)).toEqual([]);
    const files = {
      'src/keys/a/a.ts': "import '../b/b.js';",
      'src/keys/b/b.ts': "import type { A } from '../a/c.js';",
    };
    expect(cyclesOfFolders(readSources(new Map(Object.entries({ ...files, 'src/keys/a/c.ts': '' }))))).toEqual([
      'src/keys/a -> src/keys/b -> src/keys/a',
    ]);
    expect(cyclesOfFolders(readSources(new Map(Object.entries(files))))).toEqual([]);
  });

  it('the house has no small file that one other file needs alone', () => {
    expect(lonelyFiles(house)).toEqual([]);
    const [small, large] = ['a;\n'.repeat(29), 'a;\n'.repeat(30)];
    const importer = "import './small.js'; import './large.js'; await import('./late.js');";
    const files = {
      'src/keys/small.ts': small,
      'src/keys/large.ts': large,
      'src/keys/late.ts': small,
      'src/keys/a.ts': importer,
    };
    expect(lonelyFiles(readSources(new Map(Object.entries(files))))).toEqual([
      'src/keys/small.ts: belongs into src/keys/a.ts',
    ]);
  });

  it('the house starts the commands that need no service without what only a service needs', () => {
    const loaded = (command: string) => packagesLoadedWith(house, `src/cli/${command}.ts`);
    const both = ['class-validator', 'commander', 'dns-packet', 'ipaddr.js', 'picocolors', 'tldts'];
    expect(loaded('verify')).toEqual(both);
    expect(loaded('doctor')).toEqual(both);
  });

  it('the house completes and helps with the commands of administrators without what only their work needs', () => {
    const loaded = packagesLoadedWith(house, 'src/cli/admin.ts');
    expect(loaded).toContain('commander');
    for (const name of ['@nestjs/core', 'ioredis', 'pg', 'typeorm']) expect(loaded).not.toContain(name);
  });

  it('the house starts a worker without what only serves requests, and what few workers need', () => {
    const entries = ['src/main.ts', 'src/worker.modules.ts'];
    const loaded = entries.flatMap((entry) => packagesLoadedWith(house, entry));
    expect(loaded).toContain('undici');
    for (const name of ['@nestjs/platform-fastify', '@nestjs/swagger', 'fastify', 'imapflow', 'zod'])
      expect(loaded).not.toContain(name);
    expect(packagesLoadedWith(house, 'src/api.modules.ts')).toEqual(expect.arrayContaining(['@nestjs/swagger', 'zod']));
  });

  it('the house has no folder with more files than somebody sees at a glance', () => {
    expect(crowdedFolders(OURS)).toEqual([]);
    expect(crowdedFolders(Array.from({ length: 25 }, (_, i) => `src/keys/a${i}.ts`))).toEqual([
      'src/keys: has 25 files, at most 24',
    ]);
  });

  it('the house has each folder directly below src, and each feature module of a group, on the map of CONTRIBUTING.md', () => {
    const map = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
    const named = [...map.matchAll(/^\| `([a-z/-]+)\/` \|/gm)].map(([, folder]) => folder!);
    expect(named.filter((folder) => folder !== 'src').toSorted()).toEqual(featureFolders(PATHS));
  });
});

describe('the rules', () => {
  it.each([
    [
      'a room that reaches into one it may not know',
      'src/keys/a.service.ts',
      "import { b } from '../batch/b.js';",
      'may not import src/batch/b.ts',
    ],
    [
      'platform that knows a feature, even as a type',
      'src/platform/a.ts',
      "import type { b } from '../keys/b.js';",
      'may not import src/keys/b.ts',
    ],
    [
      'a part of a room of which only another part may be known',
      'src/presenting/a.ts',
      "import { b } from '../platform/redis/b.js';",
      'may not import src/platform/redis/b.ts',
    ],
    [
      'the engine that knows anybody',
      'src/engine/a.ts',
      "import { b } from '../platform/b.js';",
      'may not import src/platform/b.ts',
    ],
    [
      'a page that knows the inside of the service',
      'src/console/web/a.tsx',
      "import type { B } from '../../keys/access/b.js';",
      'may not import src/keys/access/b.ts',
    ],
    ['a page with a package of its own', 'src/console/web/a.tsx', "import b from 'react';", 'may not know react'],
    ['a client that knows Node', 'src/client/a.ts', "import { b } from 'node:fs';", 'the client may not know node:fs'],
    ['a room that the table does not name', 'src/extras/a.ts', '', 'is in a room that the table does not know: extras'],
    [
      'a service that presents',
      'src/verify/a.service.ts',
      "import { b } from '../presenting/b.js';",
      'may not import src/presenting/b.ts',
    ],
    [
      'a question that Node answers wrongly',
      'src/keys/a.ts',
      'URL.canParse(text);',
      'asks URL.canParse, which lies once it is compiled: say readUrl',
    ],
    [
      'another room’s store',
      'src/verify/a.ts',
      "import { B } from '../credits/b.store.js';",
      'src/credits/b.store.ts is private to its room',
    ],
    [
      'another room’s entity, re-exported',
      'src/verify/a.ts',
      "export { B } from '../credits/b.entity.js';",
      'src/credits/b.entity.ts is private to its room',
    ],
    [
      'another room’s dto, imported late',
      'src/verify/a.ts',
      "const b = await import('../credits/b.dto.js');",
      'src/credits/b.dto.ts is private to its room',
    ],
    [
      'somebody else who builds engines',
      'src/verify/a.service.ts',
      "import { createEngine } from '../engine/verification/engine.js';",
      'may import only types from src/engine/verification/engine.ts',
    ],
    [
      'a type and a value of the engine in one import',
      'src/verify/a.service.ts',
      "import { type A, b } from '../engine/verification/engine.js';",
      'may import only types from src/engine/verification/engine.ts',
    ],
    [
      'a service that knows Fastify',
      'src/verify/a.service.ts',
      "import type { FastifyReply } from 'fastify';",
      'may not know fastify',
    ],
    [
      'a service that knows Bull',
      'src/batch/a.service.ts',
      "import { InjectQueue } from '@nestjs/bull';",
      'may not know @nestjs/bull',
    ],
    ['a room that knows the MCP SDK', 'src/verify/a.service.ts', "import { z } from 'zod';", 'may not know zod'],
    [
      'the engine with a package',
      'src/engine/a.ts',
      "import { LRUCache } from 'lru-cache';",
      'the engine may not know lru-cache',
    ],
    [
      'the engine with files',
      'src/engine/a.ts',
      "import { readFileSync } from 'node:fs';",
      'the engine may not know node:fs',
    ],
    ['the engine with a clock', 'src/engine/a.ts', 'export const at = Date.now();', 'is not pure: Date.now'],
    ['the engine with chance', 'src/engine/a.ts', 'export const at = Math.random();', 'is not pure: Math.random'],
    [
      'a primitive that knows a room',
      'src/lib/a.ts',
      "import type { b } from '../engine/b.js';",
      'may not import src/engine/b.ts',
    ],
    ['a primitive with a package', 'src/lib/a.ts', "import pLimit from 'p-limit';", 'lib may not know p-limit'],
    ['a primitive with a timer of its own', 'src/lib/a.ts', 'setTimeout(() => {}, 1);', 'is not pure: setTimeout('],
    [
      'a primitive with a deadline of its own',
      'src/lib/a.ts',
      'await given(AbortSignal.timeout(5));',
      'is not pure: AbortSignal.timeout',
    ],
    ['process.env anywhere', 'src/http.ts', "export const port = process.env['PORT'];", 'reads process.env'],
    [
      'a key’s kind compared',
      'src/credits/a.service.ts',
      "if (principal.kind === 'agent') charge();",
      'compares the kind of a key',
    ],
    [
      'a key’s kind compared the other way round',
      'src/http.ts',
      "if ('test' !== principal.kind) charge();",
      'compares the kind of a key',
    ],
    [
      'a key’s kind in the cases of a switch',
      'src/credits/a.service.ts',
      "switch (caller.principal.kind) { case 'live': charge(); }",
      'compares the kind of a key',
    ],
    [
      'a room that decompresses by itself',
      'src/batch/a.ts',
      "import { createGunzip } from 'node:zlib';",
      'may not make streams with node:zlib',
    ],
    [
      'a room that makes streams of requests',
      'src/credits/a.ts',
      "import { type Readable, Transform } from 'node:stream';",
      'may not make streams with node:stream',
    ],
    [
      'a controller that reads forms',
      'src/batch/a.controller.ts',
      "const { Busboy } = await import('@fastify/busboy');",
      'may not make streams with @fastify/busboy',
    ],
    ['a request that is piped', 'src/http.ts', 'request.raw.pipe(parser);', 'pipes a stream'],
    [
      'a statement that may lock more rows than its LIMIT',
      'src/keys/a.store.ts',
      'sql(`DELETE FROM a WHERE (b, c) IN (\n SELECT b, c FROM a WHERE d IN (SELECT d FROM e) LIMIT $1 FOR UPDATE SKIP LOCKED)`);',
      'locks rows within IN, perhaps again for each row: say = ANY (ARRAY(…))',
    ],
    ['a default export', 'src/keys/a.ts', 'export default 1;', 'exports a default'],
    ['an enum', 'src/keys/a.ts', 'export enum A { B }', 'declares an enum'],
    ['a barrel', 'src/keys/index.ts', "export { a } from './a.js';", 'is a barrel'],
    ['a file that says nothing', 'src/keys/token-utils.ts', '', 'has a name that says nothing'],
    ['a folder that says nothing', 'src/keys/common/token.ts', '', 'has a name that says nothing'],
    ['camelCase', 'src/keys/apiToken.ts', '', 'is not named in kebab-case'],
    ['a long file', 'src/keys/a.ts', 'a;\n'.repeat(401), 'has 401 lines, at most 400'],
    [
      'a name of our own',
      'src/keys/a.ts',
      'const MOST_KEYS = 20;',
      'names MOST_KEYS: say MAX_, MIN_, …_CONCURRENCY or …_PAGE_SIZE',
    ],
    [
      'a size of our own',
      'src/keys/a.ts',
      'const ROWS_AT_ONCE = 20;',
      'names ROWS_AT_ONCE: say MAX_, MIN_, …_CONCURRENCY or …_PAGE_SIZE',
    ],
    ...['KEPT_MS', 'askedFor', 'class WantedKey', 'lookAgain', 'ImapWorld', 'Words'].map(
      (name): [string, string, string, string] => [
        `the vague name ${name}`,
        'src/keys/a.ts',
        name.startsWith('class') ? `${name} {}` : `const ${name} = 1;`,
        `${name.replace('class ', '')} has a word of no meaning: say what it is, in the field's words`,
      ],
    ),
    [
      'a comment that cites what is not here',
      'src/keys/a.ts',
      '/** Contract section 4. */',
      'cites a section of the contract: link the page under docs/',
    ],
    [
      'a getter that acts',
      'src/keys/a.ts',
      'class A { get open() { return this.count++ > 0; } }',
      'open asks, and changes something',
    ],
    [
      'a question that acts',
      'src/keys/a.ts',
      'class A { isOpen() { if (x) this.state.open = false; return true; } }',
      'isOpen asks, and changes something',
    ],
    [
      'a question that remembers',
      'src/keys/a.ts',
      'class A { isRepeated(x) { if (this.#seen.has(x)) return true; this.#seen.add(x); return false; } }',
      'isRepeated asks, and changes something',
    ],
    [
      'a question written as an arrow',
      'src/keys/a.ts',
      'class A { isNew = (x) => delete this.seen[x]; }',
      'isNew asks, and changes something',
    ],
    [
      'a fourth module of a room',
      'src/keys/access.module.ts',
      '',
      'is no module of its room: it has keys.module, keys-http.module, keys-worker.module, keys-administration.module',
    ],
    [
      'a module in a file that does not say so',
      'src/keys/keys-overview-module.ts',
      '@Module({})\nexport class KeysOverviewModule {}',
      'is no module of its room: it has keys.module, keys-http.module, keys-worker.module, keys-administration.module',
    ],
    [
      'a module within a folder of its room',
      'src/keys/access/keys.module.ts',
      '',
      'is no module of its room: it has keys.module, keys-http.module, keys-worker.module, keys-administration.module',
    ],
    [
      'a constructor that needs everybody',
      'src/keys/a.ts',
      'class A { constructor(a, b, c, d, e, f, g) {} }',
      'has a constructor with 7 parameters, at most 6',
    ],
  ])('the rules find %s', (_, path, source, violation) => {
    expect(inTree({ [path]: source })).toContain(`${path}: ${violation}`);
  });

  it('the rules find a name that a room has twice, and no name that two rooms share', () => {
    const files = {
      'src/keys/a.ts': 'export class A {} function own() {}',
      'src/keys/b/a.ts': 'class A {} export function own() {}',
      'src/batch/a.ts': 'class A {}',
    };
    expect(inTree(files)).toEqual(['A is in src/keys/a.ts and in src/keys/b/a.ts']);
  });

  it('the rules find a cycle, once, and whichever way it is entered', () => {
    const files = {
      'src/keys/main.ts': "import './a.js';",
      'src/keys/a.ts': "import { b } from './b.js';",
      'src/keys/b.ts': "export { c } from './c.js';",
      'src/keys/c.ts': "import { a } from './a.js';",
    };
    const cycle = 'import cycle: src/keys/a.ts -> src/keys/b.ts -> src/keys/c.ts -> src/keys/a.ts';
    expect(inTree(files)).toEqual([cycle]);
    expect(inTree({ ...files, 'src/keys/c.ts': "import type { a } from './a.js';" })).toEqual([cycle]);
  });

  it.each([
    ['what the table allows', 'src/verify/a.service.ts', "import { b } from '../credits/b.service.js';"],
    ['the engine with a primitive', 'src/engine/smtp/a.ts', "import { Latch } from '../../lib/latch.js';"],
    ['a room with a primitive', 'src/presenting/a.ts', "import { Memo } from '../lib/memo.js';"],
    ['types of the engine', 'src/verify/a.service.ts', "import { type A } from '../engine/verification/engine.js';"],
    [
      'the one that builds engines',
      'src/verify/engine.provider.ts',
      "import { createEngine } from '../engine/verification/engine.js';",
    ],
    [
      'a controller that says its reply shape',
      'src/verify/a.controller.ts',
      "import { Present } from '../presenting/b.js';",
    ],
    ['a room’s own store', 'src/credits/a.service.ts', "import { B } from './b.store.js';"],
    ['a guard that knows Fastify', 'src/keys/a.guard.ts', "import type { FastifyReply } from 'fastify';"],
    [
      'the engine’s adapters with sockets',
      'src/engine/smtp/connect/socket.ts',
      "import { connect } from 'node:tls'; setTimeout(connect, 1);",
    ],
    [
      'comments that name what code may not',
      'src/engine/a.ts',
      '/* Date.now() is the clock’s. */ export const a = 1; // process.env',
    ],
    ['another kind of thing compared', 'src/credits/a.ts', "if (rate.kind === 'window') slide();"],
    ['a switch over another kind of thing', 'src/credits/a.ts', "switch (rate.kind) { case 'window': slide(); }"],
    ['the type of a stream', 'src/batch/a.ts', "import type { Readable } from 'node:stream';"],
    ['main with everybody', 'src/main.ts', "import { a } from './keys/a.store.js';"],
  ])('the rules allow %s', (_, path, source) => {
    expect(inTree({ [path]: source })).toEqual([]);
  });
});
