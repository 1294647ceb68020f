import { Inject, Injectable } from '@nestjs/common';
import { WorkersService } from '../batch/workers.service.js';
import { EGRESS_SOURCES } from '../sending/egress/egress.module.js';
import type { EgressSources } from '../sending/egress/egress-sources.js';
import { invalidField } from '../platform/errors/app-error.js';

/** A region is known by its sources here, by `REGION`, or by a worker that is alive: a slip would leave batches to nobody. */
@Injectable()
export class KnownRegions {
  constructor(
    private readonly workers: WorkersService,
    @Inject(EGRESS_SOURCES) private readonly sources: EgressSources,
  ) {}

  /** @throws AppError `invalid_input` for a region that nobody has */
  async assert(region: string): Promise<void> {
    const ofSources = [this.sources.region, ...this.sources.all.map((source) => source.region)];
    const known = new Set([...ofSources.filter((name) => name !== null), ...(await this.workers.regions())]);
    if (known.has(region)) return;
    const names = [...known].toSorted().join(', ');
    throw invalidField(
      'region',
      names === ''
        ? 'must be null: no source or worker has a region; "region" of a source in config/egress.json or REGION of a worker gives one'
        : `must be one of ${names}`,
    );
  }
}
