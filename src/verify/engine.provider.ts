import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type FactoryProvider, Logger } from '@nestjs/common';
import { createEngine, createLists, type Engine, type Lists, parseMailProviders } from '../engine/index.js';
import { CONFIG_DIRECTORY } from '../platform/config/config-file.js';
import { ENV, type Env } from '../platform/config/env.js';
import { nodePorts } from './node-ports.js';

/** Nest token of the `Engine`. */
export const ENGINE = Symbol('ENGINE');

/** The one bridge between Nest and the engine: real ports, the data of `config/`. */
export const engineProvider: FactoryProvider<Engine> = {
  provide: ENGINE,
  inject: [ENV],
  useFactory: (env: Env) => {
    const lists = loadLists();
    return createEngine({
      ports: nodePorts(env),
      providers: parseMailProviders(JSON.parse(configFile('mail-providers.json'))),
      lists: () => lists,
      identity: { heloName: env.heloName ?? hostname(), mailFrom: env.mailFrom ?? '', port: env.smtpPort },
      allowPrivateMx: env.allowPrivateMx,
      onPort25Closed: () => new Logger('Engine').warn(PORT_25_CLOSED),
    });
  },
};

const PORT_25_CLOSED =
  'Port 25 does not seem to leave this machine: mailboxes cannot be asked about and are answered with unknown, port25_blocked.';

function loadLists(): Lists {
  const list = (name: string): string => configFile(`lists/${name}.txt`);
  return createLists({
    disposable: list('disposable'),
    free: list('free'),
    role: list('role'),
    privacyRelays: list('privacy-relays'),
    neverDisposable: list('never-disposable'),
    spamTraps: list('spam-traps'),
  });
}

function configFile(path: string): string {
  return readFileSync(join(CONFIG_DIRECTORY, path), 'utf8');
}
