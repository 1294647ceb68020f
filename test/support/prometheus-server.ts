import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './process.js';

export interface PrometheusServer {
  /** What the HTTP API answers under `data`. @param path such as `/api/v1/alerts` */
  get(path: string): Promise<unknown>;
  stop(): Promise<void>;
}

/**
 * The Prometheus of this machine's PATH on a free port of loopback, with data of its own that go with it.
 * @param rules the text of a file of rules
 * @param config all but `rule_files`
 */
export async function startPrometheusServer(rules: string, config: object): Promise<PrometheusServer> {
  const directory = await mkdtemp(join(tmpdir(), 'mailsonde-prometheus-'));
  await writeFile(join(directory, 'rules.yml'), rules);
  await writeFile(join(directory, 'prometheus.yml'), JSON.stringify({ ...config, rule_files: ['rules.yml'] }));
  const port = await freePort();
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(directory, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(directory, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    { stdio: 'inherit' },
  );
  const exited = once(child, 'exit');
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  return {
    async get(path) {
      const reply = await fetch(`http://127.0.0.1:${port}${path}`);
      return ((await reply.json()) as { data: unknown }).data;
    },
    async stop() {
      process.off('exit', kill);
      child.kill();
      await exited;
      await rm(directory, { recursive: true, force: true });
    },
  };
}
