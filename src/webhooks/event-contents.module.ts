import { Module } from '@nestjs/common';
import { EventContents } from './event-contents.js';

@Module({ providers: [EventContents], exports: [EventContents] })
export class EventContentsModule {}
