import { Global, Module } from '@nestjs/common';
import { AgentPresenter } from './agent.presenter.js';
import { FullPresenter } from './full.presenter.js';
import { PresentInterceptor } from './present.interceptor.js';
import { Presenters } from './presenters.js';

/** The reply shapes, for every room's controllers. The interceptor is made global by `AppModule`. */
@Global()
@Module({
  providers: [AgentPresenter, FullPresenter, Presenters, PresentInterceptor],
  exports: [AgentPresenter, Presenters, PresentInterceptor],
})
export class PresentingModule {}
