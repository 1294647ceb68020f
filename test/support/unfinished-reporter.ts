import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** Says which tests ran when the run is ended from outside, as by `timeout`: one that hangs is in no line of the other reporters. */
export default class UnfinishedReporter implements Reporter {
  readonly #running = new Map<string, string>();

  onInit(): void {
    process.once('SIGTERM', () => {
      for (const name of this.#running.values()) console.error(`Not finished: ${name}`);
    });
  }

  onTestModuleStart(module: TestModule): void {
    this.#running.set(module.id, module.relativeModuleId);
  }

  onTestModuleEnd({ id }: TestModule): void {
    this.#running.delete(id);
  }

  onTestCaseReady(test: TestCase): void {
    this.#running.set(test.id, `${test.module.relativeModuleId} > ${test.fullName}`);
  }

  onTestCaseResult({ id }: TestCase): void {
    this.#running.delete(id);
  }
}
