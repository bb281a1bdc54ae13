import { lockDirectory } from '../lib/database/directory-lock.ts'

/** Takes the given lock file, reports it, and waits to be killed. */
await lockDirectory(process.argv[2] ?? '')
console.log('locked')
setInterval(() => {}, 60_000)
