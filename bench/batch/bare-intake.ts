import { createServer, type IncomingMessage } from 'node:http';
import pg from 'pg';

/**
 * What taking a list in cannot do without, as a process of its own: reads the texts of a JSON body between their quotes and stores
 * them, a thousand in a row and twenty rows a statement, while the next ones come. Nothing is checked, no address known again.
 */
const ROWS_PAGE_SIZE = 20;
const TEXTS_OF_A_ROW = 1_000;

const database = new pg.Client({ connectionString: process.argv[2]! });
await database.connect();
await database.query('CREATE TABLE bare_rows (id serial PRIMARY KEY, emails text NOT NULL)');
await database.query('ALTER TABLE bare_rows ALTER COLUMN emails SET STORAGE EXTERNAL');

let texts: string[] = [];
let rows: string[] = [];
let writing: Promise<unknown> = Promise.resolve();

function write(): Promise<unknown> {
  const values = rows;
  rows = [];
  return database.query(`INSERT INTO bare_rows (emails) VALUES ${values.map((_, i) => `($${i + 1})`).join()}`, values);
}

const server = createServer((request, response) => {
  void takeIn(request).then(() => response.writeHead(201).end('{}'));
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as { port: number }).port));

async function takeIn(request: IncomingMessage): Promise<void> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of request as AsyncIterable<Buffer>) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, piece]) : piece;
    let at = 0;
    for (;;) {
      const start = bytes.indexOf(0x22, at);
      const end = start < 0 ? -1 : bytes.indexOf(0x22, start + 1);
      if (end < 0) break;
      texts.push(bytes.toString('latin1', start + 1, end));
      at = end + 1;
      if (texts.length < TEXTS_OF_A_ROW) continue;
      rows.push(JSON.stringify(texts));
      texts = [];
    }
    rest = bytes.subarray(at);
    if (rows.length < ROWS_PAGE_SIZE) continue;
    await writing;
    writing = write();
  }
  await writing;
  rows.push(JSON.stringify(texts));
  await write();
}
