import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Loaded before the program (`node --import`), because a module cannot change how it is loaded itself. A later start reuses
// the code that an earlier one compiled, types stripped. Not in the temporary directory, which others may write to.
enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/compile'))
