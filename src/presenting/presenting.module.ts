import { Global, Module } from '@nestjs/common';
import { REASON_TEXTS } from '../platform/config/policies.js';
import type { ReasonTexts } from '../platform/config/reason-texts.js';
import { AgentPresenter } from './agent.presenter.js';
import { FullPresenter } from './full.presenter.js';
import { PresentInterceptor } from './present.interceptor.js';
import { Presenters } from './presenters.js';

/** The reply shapes, for the controllers of every feature. */
@Global()
@Module({
  providers: [
    AgentPresenter,
    {
      provide: FullPresenter,
      useFactory: (reasons: ReasonTexts) => new FullPresenter(reasons),
      inject: [REASON_TEXTS],
    },
    Presenters,
    PresentInterceptor,
  ],
  exports: [AgentPresenter, FullPresenter, Presenters, PresentInterceptor],
})
export class PresentingModule {}
