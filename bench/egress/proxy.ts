import { connect, createServer, type Socket } from 'node:net';

/**
 * A SOCKS5 proxy as a process of its own (RFC 1928: no authentication, CONNECT, IPv4), at a port (first argument), whose connections
 * come from an address (second argument). Prints its port on a line, lives until its parent goes or kills it.
 */
const [port, from] = process.argv.slice(2) as [string, string];
const GRANTED = Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
const REFUSED = Buffer.from([5, 5, 0, 1, 0, 0, 0, 0, 0, 0]);

// A side that has ended may still be answered, as at Dante and ssh: the host's last word ends the connection.
createServer({ noDelay: true, allowHalfOpen: true }, (client) => {
  client.on('error', () => client.destroy());
  client.once('data', () => {
    client.write(Buffer.from([5, 0]));
    client.once('data', (request: Buffer) =>
      forward(client, [...request.subarray(4, 8)].join('.'), request.readUInt16BE(8)),
    );
  });
}).listen(Number(port), '127.0.0.1', () => console.log(port));
process.on('disconnect', () => process.exit());

function forward(client: Socket, host: string, hostPort: number): void {
  const server = connect({ host, port: hostPort, localAddress: from, noDelay: true, allowHalfOpen: true });
  server.once('connect', () => {
    client.write(GRANTED);
    client.pipe(server);
    server.pipe(client);
  });
  server.on('error', () => {
    if (server.bytesRead === 0 && !client.destroyed) client.end(REFUSED);
    else client.destroy();
  });
  client.on('close', () => server.destroy());
  server.on('close', () => client.end());
}
