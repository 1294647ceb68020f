import { ValidateBy } from 'class-validator';
import { OptionalText } from '../../platform/http/text.js';
import { isContact, NO_CONTACT } from './contact.js';

export class RegistrationRequest {
  @OptionalText(80, "The agent's name.")
  readonly name?: string | null;

  @OptionalText(500, 'What the agent verifies addresses for.')
  readonly purpose?: string | null;

  @OptionalText(255, 'An email address or a URL of the operator.')
  @ValidateBy({ name: 'isContact', validator: { validate: isContact, defaultMessage: () => NO_CONTACT } })
  readonly contact?: string | null;
}
