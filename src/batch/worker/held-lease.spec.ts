import { describe, expect, it } from 'vitest';
import { HeldLease, LEASE_MS } from './chunk-leases.js';

describe('the lease of a unit', () => {
  it('the lease of a unit is in doubt shortly before its end, and sure again when it was renewed and looked at', () => {
    const lease = new HeldLease(1_000);
    expect(lease.look(1_000 + LEASE_MS - 2_000)).toBe(false);
    expect(lease.look(1_000 + LEASE_MS - 1_000)).toBe(true);
    expect(lease.hold.isHeld).toBe(true);
    lease.renewed(15_000);
    expect(lease.hold.isHeld).toBe(true);
    expect(lease.look(15_100)).toBe(false);
    expect(lease.hold.isHeld).toBe(false);
  });

  it('the lease of a unit is in doubt at once when PostgreSQL took longer than it lasts to write it', () => {
    expect(new HeldLease(0).look(LEASE_MS)).toBe(true);
  });
});
