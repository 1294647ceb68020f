/** A configured value that must not be started with. The message is one line: what, its value, what is allowed. */
export class ConfigurationError extends Error {
  /** @param value null where it is not set, although it must be */
  constructor(where: string, value: string | null, allowed: string) {
    super(`${where} is ${value === null ? 'not set' : JSON.stringify(value)}: allowed is ${allowed}.`);
    this.name = 'ConfigurationError';
  }
}
