import { OptionalMaxCredits } from '../../credits/max-credits.js';

export class StartBatchRequest {
  @OptionalMaxCredits()
  readonly max_credits?: number | null;
}
