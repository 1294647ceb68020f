/** A configured value that must not be started with. The message is one line: what, its value, what is allowed. */
export class ConfigurationError extends Error {
  constructor(where: string, value: string, allowed: string) {
    super(`${where} is ${JSON.stringify(value)}: allowed is ${allowed}.`);
    this.name = 'ConfigurationError';
  }
}
