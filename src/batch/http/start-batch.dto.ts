import { OptionalMaxCredits } from '../../credits/max-credits.decorator.js';

export class StartBatchRequest {
  @OptionalMaxCredits()
  readonly max_credits?: number | null;
}
