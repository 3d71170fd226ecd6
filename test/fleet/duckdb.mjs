// duckdb.mjs SQL EXPORT [EXPORT...]: imports each in turn and prints what the views say as JSON:
// fleet_total, the sum of prof, how many hosts there are, and the function with most samples.
import { DuckDBInstance } from '@duckdb/node-api';
import { readFileSync } from 'node:fs';

const [sql, ...exports] = process.argv.slice(2);
const connection = await (await DuckDBInstance.create(':memory:')).connect();
const script = readFileSync(sql, 'utf8');
for (const directory of exports) {
  await connection.run(`SET VARIABLE causal_export = '${directory.replaceAll("'", "''")}'`);
  await connection.run(script);
}
const rows = async (query) => (await connection.runAndReadAll(query)).getRowsJson();
const [total] = await rows(`SELECT samples, dropped, unmapped, in_images FROM fleet_total
                            WHERE event = 'cpu'`);
const [prof] = await rows(`SELECT sum(samples) FROM prof WHERE event = 'cpu'`);
const [hosts] = await rows('SELECT count(DISTINCT host) FROM host_prof');
const top = await rows(`SELECT "function" FROM prof ORDER BY samples DESC LIMIT 1`);
console.log(JSON.stringify({ total: total.map(Number), prof: Number(prof[0]),
                             hosts: Number(hosts[0]), top: top[0][0] }));
