import { createHash } from 'node:crypto'
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// Builds the page of the dashboard: `node dashboard/build.ts`. With `--if-changed` only if its files or the packages differ
// from those of the last build.

const root = join(import.meta.dirname, '..')
const built = join(root, 'dist/dashboard')
const stampFile = join(built, 'stamp')

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
    return readFileSync(stampFile, 'utf8') === stamp()
  } catch {
    return false
  }
}

async function build(): Promise<void> {
  const before = stamp()
  for (const path of ['stamp', 'index.html', 'index.html.gz', 'index.html.br', 'assets'])
    rmSync(join(built, path), { recursive: true, force: true })
  const vite = await import('vite')
  await vite.build({ configFile: join(root, 'dashboard/page/vite.config.ts') })
  writeFileSync(stampFile, before)
}

if (!process.argv.includes('--if-changed') || !isCurrent()) await build()
