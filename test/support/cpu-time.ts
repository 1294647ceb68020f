/** Milliseconds that the process computes for it. Unlike what a clock shows, they do not depend on what else has the machine. */
export function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
