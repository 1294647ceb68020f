import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: { readonly serverUrl: string; readonly template: string };
    redis: { readonly serverUrl: string; readonly databases: number };
  }
}

export default function setup(_project: TestProject): void {
  // Servers are started here.
}
