import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Receivers at every address of loopback: `/ok` answers 204 after `--latency` milliseconds, `/hang` never. Prints its port on a
 * line, tells its parent each time it has answered as often as it was told to.
 */
const latencyMs = Number(process.argv[2] ?? 5);
let wanted = Infinity;
let answered = 0;

process.on('message', (count: number) => {
  wanted = count;
  answered = 0;
});

const server = createServer((request, response) => {
  request.resume();
  if (request.url === '/hang') return;
  request.on('end', () =>
    setTimeout(() => {
      response.writeHead(204).end();
      if (++answered === wanted) process.send!('done');
    }, latencyMs),
  );
});
server.keepAliveTimeout = 60_000;
server.listen(0, '0.0.0.0', () => console.log((server.address() as AddressInfo).port));
