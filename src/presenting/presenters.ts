import { Injectable } from '@nestjs/common';
import type { Principal } from '../keys/access/principal.js';
import { AgentPresenter } from './agent.presenter.js';
import { FullPresenter } from './full.presenter.js';
import type { Presenter } from './presenter.js';

/** Which shape a caller gets: its policy says so. */
@Injectable()
export class Presenters {
  private readonly byShape: Readonly<Record<Principal['policy']['shape'], Presenter>>;

  constructor(envelope: AgentPresenter, flat: FullPresenter) {
    this.byShape = { envelope, flat };
  }

  for({ policy }: Pick<Principal, 'policy'>): Presenter {
    return this.byShape[policy.shape];
  }
}
