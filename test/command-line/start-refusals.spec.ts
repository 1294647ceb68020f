import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCommand } from '../support/command.js';

it('a region that no source has refuses the start in one line that names the regions there are', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'start-'));
  try {
    const file = join(folder, 'egress.json');
    const source = { name: 'north', address: '192.0.2.1', helo: 'a.example.net', mail_from: '', region: 'eu' };
    writeFileSync(file, JSON.stringify({ sources: [source] }));
    const { exit, stderr } = await runCommand('cli/mailsonde.js', ['serve'], {
      EGRESS_FILE: file,
      REGION: 'us',
      DATA_DIR: join(folder, 'data'),
    });
    expect([exit, stderr]).toEqual([78, 'REGION is "us": allowed is the region of a source, here eu.\n']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
