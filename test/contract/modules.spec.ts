import 'reflect-metadata';
import type { DynamicModule, Provider, Type } from '@nestjs/common';
import { beforeAll, describe, expect, it } from 'vitest';
import { AdminModule } from '../../src/admin/admin.module.js';
import { AppModule } from '../../src/app.module.js';
import { loadEnv } from '../../src/platform/config/env.js';

interface ModuleParts {
  readonly name: string;
  readonly imports: readonly Imported[];
  readonly controllers: readonly Type[];
  readonly providers: readonly Provider[];
}

type Imported = Type | DynamicModule | Promise<DynamicModule> | { readonly forwardRef: () => Type };

const ROLES = ['api', 'worker', 'all'] as const;

async function partsOf(imported: Imported): Promise<ModuleParts> {
  const resolved = await imported;
  const type = 'forwardRef' in resolved ? resolved.forwardRef() : 'module' in resolved ? resolved.module : resolved;
  const own = 'module' in resolved ? resolved : null;
  const of = <T>(part: 'imports' | 'controllers' | 'providers'): T[] => [
    ...((Reflect.getMetadata(part, type) as T[] | undefined) ?? []),
    ...((own?.[part] as T[] | undefined) ?? []),
  ];
  return { name: type.name, imports: of('imports'), controllers: of('controllers'), providers: of('providers') };
}

/** The module and all that it reaches, each once. */
async function modulesOf(root: Imported): Promise<ModuleParts[]> {
  const found = new Map<string, ModuleParts>();
  const visit = async (imported: Imported): Promise<void> => {
    const parts = await partsOf(imported);
    if (found.has(parts.name)) return;
    found.set(parts.name, parts);
    for (const next of parts.imports) await visit(next);
  };
  await visit(root);
  return [...found.values()];
}

/** The modules of a role, without those of libraries, which repeat providers as they like. */
async function modulesOfRole(role: (typeof ROLES)[number]): Promise<ModuleParts[]> {
  const env = { ...loadEnv({}), role, databaseUrl: 'postgres://x', redisUrl: 'redis://x', secretsKey: '11'.repeat(32) };
  const modules = await modulesOf(await AppModule.register(env));
  return modules.filter(({ name }) => !/^(Bull|Throttler|Discovery)Module$/.test(name));
}

function tokenOf(provider: Provider): unknown {
  return typeof provider === 'function' ? provider : provider.provide;
}

function nameOf(token: unknown): string {
  return typeof token === 'function' ? token.name : String(token);
}

function nameOfImport(imported: Imported): string {
  return 'module' in imported ? imported.module.name : (imported as Type).name;
}

describe.each(ROLES)('the modules of role %s', (role) => {
  let modules: ModuleParts[];
  beforeAll(async () => (modules = await modulesOfRole(role)));

  it('the modules of a role provide nothing twice', () => {
    const providedBy = new Map<unknown, string[]>();
    for (const { name, providers } of modules) {
      // Nest's own tokens, such as APP_GUARD, collect several providers.
      for (const token of providers.map(tokenOf).filter((one) => typeof one !== 'string'))
        providedBy.set(token, [...(providedBy.get(token) ?? []), name]);
    }
    const twice = [...providedBy].filter(([, names]) => names.length > 1);
    expect(twice.map(([token, names]) => `${nameOf(token)}: ${names.join(', ')}`)).toEqual([]);
  });

  it('the modules of a role have controllers where their name says HTTP, and nowhere else', () => {
    const serving = modules.filter(({ controllers }) => controllers.length > 0);
    expect(serving.filter(({ name }) => !name.endsWith('HttpModule')).map(({ name }) => name)).toEqual([]);
    expect(serving.length > 0).toBe(role !== 'worker');
  });

  it('the modules of a role import modules of work or HTTP from the same kind only', () => {
    const wrong = modules
      .filter(({ name }) => name !== 'AppModule')
      .flatMap(({ name, imports }) =>
        imports.flatMap((imported) => {
          const target = nameOfImport(imported);
          const kind = /(Http|Worker)Module$/.exec(target)?.[0];
          return kind === undefined || name.endsWith(kind) ? [] : [`${name} imports ${target}`];
        }),
      );
    expect(wrong).toEqual([]);
  });
});

it('a module of work or HTTP imports the module of its room', async () => {
  const modules = new Map((await modulesOfRole('all')).map((parts) => [parts.name, parts]));
  const own = [...modules.values()].flatMap(({ name, imports }) => {
    const core = name.replace(/(Http|Worker)Module$/, 'Module');
    return core === name || !modules.has(core) ? [] : [{ core, imports: imports.map(nameOfImport) }];
  });
  expect(own.length).toBeGreaterThan(5);
  for (const { core, imports } of own) expect(imports).toContain(core);
});

describe('the modules of the administration', () => {
  it('the modules of the administration start nothing by themselves, so that a command line may import them', async () => {
    const modules = await modulesOf(AdminModule);
    const starting = modules
      .flatMap(({ providers }) => providers)
      .filter((provider) => typeof provider === 'function')
      .filter(({ prototype }) => 'onModuleInit' in prototype || 'onApplicationBootstrap' in prototype);
    expect(starting.map(({ name }) => name)).toEqual([]);
    expect(modules.map(({ name }) => name).filter((name) => /(Http|Worker)Module$/.test(name))).toEqual([]);
  });
});
