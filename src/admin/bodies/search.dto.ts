import { RequiredText } from '../../platform/http/text.js';

export class SearchQuery {
  @RequiredText(500)
  readonly q: string;
}

export class LookupRequest {
  @RequiredText(100)
  readonly token: string;
}
