import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { builtFile } from './built.js';

export interface CommandResult {
  readonly exit: number | NodeJS.Signals;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a built entry file, such as `cli/verify.js`, to its end.
 * @param variables its environment; nothing else is handed on
 * @param input its standard input; without it there is none
 */
export async function runCommand(
  file: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
  input?: string | Uint8Array,
): Promise<CommandResult> {
  const child = spawn(process.execPath, [builtFile(file), ...args], {
    // Away from any `.env`.
    cwd: tmpdir(),
    env: { PATH: process.env['PATH'], ...variables },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdin.end(input);
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return { exit: code ?? signal!, stdout, stderr };
}
