import { Module } from '@nestjs/common';
import { AgentPoolService } from './agent-pool.service.js';
import { AgentPoolStore } from './agent-pool.store.js';

@Module({ providers: [AgentPoolService, AgentPoolStore], exports: [AgentPoolService] })
export class AgentPoolModule {}
