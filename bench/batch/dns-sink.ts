import { createSocket } from 'node:dgram';
import packet from 'dns-packet';

import { HOSTS, OTHERS_FROM } from './workload.js';

/**
 * A name server as a process of its own: `dN.example.com` has its mail host among `HOSTS` hosts, which stand at 127.0.0.1 to
 * 127.0.0.8. Prints its port on a line, lives until its parent goes.
 */
const socket = createSocket({ type: 'udp4', recvBufferSize: 4 << 20, sendBufferSize: 4 << 20 });

let questions = 0;

socket.on('message', (message, peer) => {
  questions += 1;
  const query = packet.decode(message);
  const question = query.questions![0]!;
  const number = Number(/\d+/.exec(question.name)?.[0] ?? 0);
  const common = { name: question.name, ttl: 300 };
  const answers: packet.Answer[] = [];
  if (question.type === 'MX')
    answers.push({
      ...common,
      type: 'MX',
      data: {
        preference: 10,
        exchange: `mx${Math.floor(number / OTHERS_FROM) * HOSTS + (number % HOSTS)}.example.net`,
      },
    });
  if (question.type === 'A') answers.push({ ...common, type: 'A', data: `127.0.0.${1 + (number % 8)}` });
  const reply = packet.encode({
    type: 'response',
    id: query.id ?? 0,
    flags: packet.RECURSION_DESIRED | packet.RECURSION_AVAILABLE,
    questions: query.questions ?? [],
    answers,
  });
  socket.send(reply, peer.port, peer.address);
});
socket.bind(0, '127.0.0.1', () => console.log(socket.address().port));
// Whoever asks is told how many questions there were.
process.on('message', () => process.send!(questions));
process.on('disconnect', () => process.exit());
