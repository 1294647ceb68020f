import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { expect, it, onTestFinished } from 'vitest';
import { SYSTEM_TIMER } from '../../src/platform/clock.js';
import { createFullAccount } from '../support/accounts.js';
import { builtFile } from '../support/built.js';
import { runCommand } from '../support/command.js';
import { startService } from '../support/service.js';

/* The example in Python is run by test/python-client/run.sh; that both compile, by test/processes/package.spec.ts. */
it('the example of docs/clients.md in TypeScript does what it says', async () => {
  const service = await startService({ timer: SYSTEM_TIMER });
  onTestFinished(() => service.close());
  const { testKey } = await createFullAccount({ url: service.env.databaseUrl });
  const page = readFileSync('docs/clients.md', 'utf8');
  const example = page.split('<!-- example: typescript -->\n```ts\n')[1]!.split('\n```')[0]!;
  const { outputText } = ts.transpileModule(example, {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  });
  // Below dist/, from where the packages are found.
  const folder = mkdtempSync(builtFile('example-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const script = join(folder, 'example.mjs');
  writeFileSync(script, outputText.replace('mailsonde/client', pathToFileURL(builtFile('src/client/client.js')).href));
  const { exit, stdout, stderr } = await runCommand(script, [], {
    MAILSONDE_SERVER: service.url,
    MAILSONDE_KEY: testKey,
  });
  expect([exit, stderr]).toEqual([0, '']);
  expect(stdout.trimEnd().split('\n')).toEqual([
    'jane@example.com is valid (mailbox_exists)',
    '57 of 57 bytes sent',
    'completed: 1 valid, 1 invalid',
    'jane@example.com valid send',
    'invalid@example.com invalid do_not_send',
    '404 batch_not_found',
  ]);
});
