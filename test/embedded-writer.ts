import { openDatabase } from '../lib/database/open-database.ts'
import { silent } from './database.ts'

/** Writes one row into the embedded database of the given directory, reports it, and waits to be killed. */
const { db } = await openDatabase({ dataDir: process.argv[2] ?? '', log: silent })
await db
  .insertInto('organizations')
  .values({ id: 'org_1', name: 'Ada', created_at: new Date(0) })
  .execute()
console.log('written')
setInterval(() => {}, 60_000)
