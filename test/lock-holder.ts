import { lockDirectory } from '../lib/database/directory-lock.ts'

/** Takes the lock file that it is given, says so, and waits to be killed. */
await lockDirectory(process.argv[2] ?? '')
console.log('locked')
setInterval(() => {}, 60_000)
