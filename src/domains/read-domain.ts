import { readTarget, type TargetProblem } from '../mail-dns/targets.js';
import { AppError, type FieldError, invalidField } from '../platform/errors/app-error.js';

const PROBLEMS: Readonly<Record<TargetProblem, string>> = {
  malformed: 'must be a domain such as example.com',
  private: 'must be a domain such as example.com',
  public_suffix: 'is a domain under which anybody can register',
};

/** The domain in A-labels. @throws AppError `invalid_input` */
export function readDomain(text: string, field = 'domain'): string {
  const target = readTarget(text);
  if (typeof target === 'string') throw invalidField(field, PROBLEMS[target]);
  if (target.kind !== 'domain') throw invalidField(field, PROBLEMS.malformed);
  return target.value;
}

/**
 * Addresses that send a domain's mail, each once, in their short form.
 * @param isSimulated addresses for documentation are senders too
 * @throws AppError `invalid_input`, naming each text that is none
 */
export function readSenders(
  texts: readonly string[],
  isSimulated: boolean,
  field = 'sending_addresses',
): readonly string[] {
  const fields: FieldError[] = [];
  const read = texts.flatMap((text, index) => {
    const target = readTarget(text, isSimulated);
    if (typeof target !== 'string' && target.kind !== 'domain') return [target.value];
    const name = `${field}[${index}]`;
    fields.push({ field: name, error: `${name} must be a public IP address` });
    return [];
  });
  if (fields.length > 0) throw new AppError('invalid_input', { fields });
  return [...new Set(read)];
}
