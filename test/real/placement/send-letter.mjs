// Sends one letter to all addresses of a placement test, whose reply comes on standard input, as a campaign tool would.
import { readFileSync } from 'node:fs';
import { createTransport } from 'nodemailer';

const [host, port, way, line, markedBy] = process.argv.slice(2);
const test = JSON.parse(readFileSync(0, 'utf8'));
const [markerName, marker] = test.marker.header.split(': ');

const transport = createTransport({
  host,
  port: Number(port),
  ignoreTLS: true,
  connectionTimeout: 10_000,
  socketTimeout: 30_000,
});
await transport.sendMail({
  envelope: { from: 'bounces@news.example', to: test.send_to },
  from: 'The shop <letters@news.example>',
  to: 'readers@news.example',
  subject: 'What is new in spring',
  headers: { ...(markedBy === 'header' && { [markerName]: marker }), 'X-Way': way },
  text: `Have a look at https://www.shop.example/spring\n\n${line}\n\n${markedBy === 'body' ? test.marker.body_line : ''}\n\nThe end.\n`,
});
