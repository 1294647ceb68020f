import { Matches } from 'class-validator';
import { OptionalText } from '../platform/http/text.js';

export class RenameListRequest {
  @OptionalText(200, 'Null, or left out: the list keeps its name.')
  @Matches(/\S/, { message: 'name must not be blank' })
  readonly name?: string | null;
}
