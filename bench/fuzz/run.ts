/** Both fuzzers, one after the other, each for `--seconds` (default 10) from `--seed`. */
await import('./address.js');
await import('./reply.js');
