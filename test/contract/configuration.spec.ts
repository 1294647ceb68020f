import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { loadEnv } from '../../src/platform/config/env.js';
import { VARIABLES } from '../../src/platform/config/variables.js';

const example = readFileSync(join(import.meta.dirname, '../../.env.example'), 'utf8');
const lines = example.split('\n');
const isVariable = (line: string): boolean => /^#[A-Z_]+=/.test(line);

describe('.env.example', () => {
  it('.env.example names exactly the variables that are read, in their order', () => {
    const names = lines.filter(isVariable).map((line) => line.slice(1, line.indexOf('=')));
    expect(names).toEqual(Object.values(VARIABLES).map(({ name }) => name));
  });

  it('.env.example shows the defaults that hold', () => {
    const uncommented = lines.map((line) => (isVariable(line) ? line.slice(1) : line)).join('\n');
    const shown = parseEnv(uncommented);
    expect(loadEnv(shown)).toEqual(loadEnv({}));
    for (const { name, preset } of Object.values(VARIABLES)) {
      expect(shown[name], name).toBe(preset === null ? '' : String(preset));
    }
  });

  it('.env.example says in one line why each variable exists', () => {
    lines.forEach((line, index) => {
      if (!isVariable(line)) return;
      expect(lines[index - 1], line).toMatch(/^# .{5,}/);
      expect(lines[index - 2], line).toBe('');
    });
  });
});
