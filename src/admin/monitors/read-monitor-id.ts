import { readId } from '../../monitors/http/monitor-id.js';

/** The id of a monitor, as somebody has typed it. @throws AppError `monitor_not_found` */
export function readMonitorId(text: string): number {
  return readId(text, 'monitor_not_found');
}
