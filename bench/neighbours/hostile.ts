import { ATTACKS, type Hostile } from './attacks.js';

/**
 * The hostile account as a process of its own, so that what it costs to attack does not slow whoever measures. Attacks as its parent names
 * them until it is told to stop, and then says that nothing of it is left.
 */
let attacking: { readonly ending: AbortController; readonly ended: Promise<unknown> } | null = null;

export type Order = { readonly attack: readonly string[]; readonly hostile: Hostile } | 'stop';

process.on('message', (order: Order) => {
  if (order !== 'stop') {
    const ending = new AbortController();
    const { attack, hostile } = order;
    const ended = Promise.all(attack.map((name) => ATTACKS[name]!(hostile, ending.signal)));
    attacking = { ending, ended };
    return;
  }
  attacking?.ending.abort();
  void attacking?.ended.then(() => process.send!('stopped'));
});
process.on('disconnect', () => process.exit());
