import type { Provider } from '@nestjs/common';
import { OwnCopies } from './own-copies.js';
import { SeedLooks } from './seed-looks.service.js';
import { SeedPoller } from './seed-poller.js';

/** What reads seed mailboxes in a worker. */
export const SEED_WORKERS: Provider[] = [OwnCopies, SeedLooks, SeedPoller];
