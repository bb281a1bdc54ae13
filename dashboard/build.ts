import { createHash } from 'node:crypto'
import { globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// Builds the page of the dashboard: `node dashboard/build.ts`. With `--if-changed` only if its files or the packages differ
// from those of the last build. With `--before-start` only if the gateway that starts next serves it too, and a failure is
// only reported: a gateway without its page is better than none.

const root = join(import.meta.dirname, '..')
const built = join(root, 'dist/dashboard')
const [mode] = process.argv.slice(2)

/** A hash of the files of the page and of the lock file. Schemas are imported only as types, so they change no build. */
function stamp(): string {
  const files = globSync('dashboard/page/**', { cwd: root, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
  const hash = createHash('sha256')
  for (const file of [...files.sort(), join(root, 'package-lock.json')])
    hash
      .update(`${file.slice(root.length)}\n`)
      .update(readFileSync(file))
      .update('\0')
  return hash.digest('hex')
}

function isCurrent(): boolean {
  try {
    return readFileSync(join(built, 'stamp'), 'utf8') === stamp()
  } catch {
    return false
  }
}

/** Builds beside the last build and replaces it at the end, so that a running gateway never sees half of one. */
async function build(): Promise<void> {
  const next = `${built}.${process.pid}`
  const before = stamp()
  try {
    const { build } = await import('vite')
    await build({ configFile: join(root, 'dashboard/page/vite.config.ts'), build: { outDir: next } })
    writeFileSync(join(next, 'stamp'), before)
    replaceBuilt(next)
  } finally {
    rmSync(next, { recursive: true, force: true })
  }
}

/** How often a build tries to take the place of the last one while other processes do the same. */
const MAX_ATTEMPTS = 20

/** Puts a build in the place of the last one, unless another process has just put there what this one built. */
function replaceBuilt(next: string): void {
  const last = `${next}.last`
  for (let attempt = 1; ; attempt++) {
    try {
      moveAway(last)
      renameSync(next, built)
      return
    } catch (error) {
      // Another process put its build there meanwhile.
      if (isCurrent()) return
      if (attempt === MAX_ATTEMPTS) throw error
    } finally {
      rmSync(last, { recursive: true, force: true })
    }
  }
}

/** Moves the last build, if no other process has. Moved before it is removed, so that nobody sees a part of it. */
function moveAway(last: string): void {
  try {
    renameSync(built, last)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
}

async function buildBeforeStart(): Promise<void> {
  if (process.env.DASHBOARD === 'off' || isCurrent()) return
  process.stdout.write('Building the page of the dashboard …\n')
  try {
    await build()
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
    const why = missing ? 'Its packages are missing. Run `npm ci`, which installs them.' : error
    process.stderr.write(`The page of the dashboard is not built: ${why}\n`)
  }
}

if (mode === '--before-start') await buildBeforeStart()
else if (mode !== '--if-changed' || !isCurrent()) await build()
