import { FINDING_AREAS, type FindingArea } from '../../engine/domain/finding.js';

/** What is looked at: areas of a domain's records, and block lists. */
export const MONITOR_AREAS = [...FINDING_AREAS, 'blacklists'] as const;
export type MonitorArea = FindingArea | 'blacklists';
