/** A configured value with which the service must not start. The message is one line: name, value, allowed values. */
export class ConfigurationError extends Error {
  /** @param value null when it must be set and is not */
  constructor(where: string, value: string | null, allowed: string) {
    super(`${where} is ${value === null ? 'not set' : JSON.stringify(value)}: allowed is ${allowed}.`);
    this.name = 'ConfigurationError';
  }
}
