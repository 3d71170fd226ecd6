// node fleet.mjs DUCKDB.SQL [ROWS]: a made-up fleet in DuckDB; how long questions take.
// (npm ci --prefix test/fleet; run it from test/fleet, or with NODE_PATH there.)
import { DuckDBInstance } from '@duckdb/node-api';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync, createWriteStream } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';

const [sql, rowsText = '10000000'] = process.argv.slice(2);
const rows = Number(rowsText), directory = mkdtempSync(join(tmpdir(), 'causal-fleet'));
const hosts = 200, epochs = 24, images = 12;
const perFile = Math.ceil(rows / (hosts * epochs * images));
let seed = 1;
const random = (n) => { seed = (seed * 1103515245 + 12345) % 2147483648; return seed % n; };
const csv = (name, text) => writeFileSync(join(directory, name), text);
const epoch = (e) => `20261128T${String(e).padStart(2, '0')}`;

const out = createWriteStream(join(directory, 'samples.csv'));
out.write('host,epoch,image,event,period,address,samples\n');
let written = 0, sum = 0n, epochText = 'host,epoch,first_second,last_second\n';
let totals = 'host,epoch,event,period,samples,dropped,unmapped,processes\n';
for (let h = 0; h < hosts; ++h)
  for (let e = 0; e < epochs; ++e) {
    let text = '', here = 0;
    for (let i = 1; i <= images; ++i)
      for (let k = 0; k < perFile && written < rows; ++k, ++written) {
        const n = 1 + random(100);
        here += n;
        text += `host${h}.0,${epoch(e)},${i},cpu,2000000,${4096 + 16 * k + random(16)},${n}\n`;
      }
    sum += BigInt(here);
    epochText += `host${h}.0,${epoch(e)},${1795824000 + 3600 * e},${1795827599 + 3600 * e}\n`;
    totals += `host${h}.0,${epoch(e)},cpu,2000000,${here},0,0,1\n`;
    if (!out.write(text)) await once(out, 'drain');
  }
out.end();
await once(out, 'finish');
csv('epochs.csv', epochText);
csv('totals.csv', totals);
csv('images.csv', 'image,build_id,path\n' +
    Array.from({ length: images }, (_, i) => `${i + 1},${(i + 10).toString(16).repeat(20)},/bin/p${i}\n`).join(''));
let places = 'image,address,function,file,line\n';
for (let i = 1; i <= images; ++i)
  for (let a = 4096; a < 4096 + 16 * (perFile + 1); ++a)
    places += `${i},${a},f${a >> 6},p.c,${a & 1023}\n`;
csv('places.csv', places);

const database = join(directory, 'fleet.duckdb');
const connection = await (await DuckDBInstance.create(database, { threads: '2' })).connect();
const timed = async (what, work) => {
  const begin = performance.now(), result = await work();
  console.log(`${what}: ${((performance.now() - begin) / 1000).toFixed(2)} s`);
  return result;
};
const ask = async (query) => (await connection.runAndReadAll(query)).getRowsJson();
await connection.run(`SET VARIABLE causal_export = '${directory}'`);
const script = readFileSync(sql, 'utf8');
await timed(`import of ${written} rows`, () => connection.run(script));
const total = async () => BigInt((await ask('SELECT sum(samples) FROM sample'))[0][0]);
const first = await total();
await timed('top 20 addresses', () => ask(
  'SELECT image, address, sum(samples) AS n FROM sample GROUP BY ALL ORDER BY n DESC LIMIT 20'));
await timed('top 20 functions', () => ask('SELECT * FROM prof ORDER BY samples DESC LIMIT 20'));
await timed('one image by host', () => ask(
  'SELECT host, sum(samples) FROM sample WHERE image = 3 GROUP BY host'));
await timed('the same import again', () => connection.run(script));
console.log(`sums: ${sum} written, ${first} after one import, ${await total()} after two`);
await connection.run('CHECKPOINT');
console.log(`database: ${(statSync(database).size / 1e6).toFixed(0)} MB`);
rmSync(directory, { recursive: true });
