import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

/** The file that says where the data of an embedded database went. It names no user and no password. */
const Moved = Type.Object({ moved_at: Type.String(), host: Type.String(), database: Type.String() })

type Moved = Static<typeof Moved>

function markerOf(dataDir: string): string {
  return join(dataDir, 'moved')
}

/** Writes `<dataDir>/moved`. */
export function writeMoved(dataDir: string, moved: Moved): void {
  writeFileSync(markerOf(dataDir), `${JSON.stringify(moved, null, 2)}\n`, { mode: 0o600 })
}

/** Whether the data of a directory was moved; does not read the marker. */
export function hasMovedMarker(dataDir: string): boolean {
  return existsSync(markerOf(dataDir))
}

/** Reads where the data of a directory went; undefined if it was not moved. */
export function readMoved(dataDir: string): Moved | undefined {
  try {
    const moved: unknown = JSON.parse(readFileSync(markerOf(dataDir), 'utf8'))
    return Value.Check(Moved, moved) ? moved : undefined
  } catch {
    return undefined
  }
}

/** The warning for a process that uses the embedded database of a directory; undefined if its data was not moved. */
export function movedWarning(dataDir: string): string | undefined {
  const moved = readMoved(dataDir)
  if (moved === undefined) return undefined
  return (
    `The data in ${dataDir} was moved to PostgreSQL on ${moved.host} (database ${moved.database}) at ${moved.moved_at}. ` +
    'Changes here do not reach that database. Set DATABASE_URL to use the moved data, or another DATA_DIR to start over.'
  )
}
