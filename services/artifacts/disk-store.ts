import { mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../../lib/database/database-errors.ts'
import { ARTIFACT_ID } from './artifact.ts'
import { type ArtifactStore, cannotStore, type StoredFile } from './artifact-store.ts'

/** The suffix of a file name until the file is complete. */
const DRAFT = '.part'

/** Stores files in a directory that all processes share. It is created with the first file. */
export function createDiskStore(directory: string): ArtifactStore {
  const pathOf = (name: string) => join(directory, name)
  const removeFile = (name: string) => rm(pathOf(name), { force: true })

  return {
    async write(name, content, signal) {
      const draft = `${name}${DRAFT}`
      try {
        await mkdir(directory, { recursive: true, mode: 0o700 })
        await writeSynced(pathOf(draft), content)
        await rename(pathOf(draft), pathOf(name))
        await syncDirectory(directory)
      } catch (error) {
        await Promise.all([draft, name].map(file => removeFile(file).catch(() => {})))
        if (signal?.aborted === true) throw signal.reason
        throw isDiskError(error) ? cannotStore('the disk of DATA_DIR', error) : error
      }
    },

    async read(name, range) {
      try {
        const file = await open(pathOf(name), 'r')
        return file.createReadStream(range)
      } catch (error) {
        if (isMissing(error)) return undefined
        throw error
      }
    },

    async has(name) {
      try {
        return (await stat(pathOf(name))).isFile()
      } catch (error) {
        if (isMissing(error)) return false
        throw error
      }
    },

    async remove(names) {
      for (const name of names) await removeFile(name)
    },

    async *list() {
      for await (const name of namesIn(directory)) {
        const file = ARTIFACT_ID.test(name) ? await statOf(name) : undefined
        if (file !== undefined) yield file
      }
    },

    async removePartial(before) {
      let removed = 0
      for await (const name of namesIn(directory)) {
        if (!name.endsWith(DRAFT) || !ARTIFACT_ID.test(name.slice(0, -DRAFT.length))) continue
        const file = await statOf(name)
        if (file === undefined || file.modifiedAt >= before) continue
        await removeFile(name)
        removed += 1
      }
      return removed
    },
  }

  /** Undefined for a file that was removed meanwhile. */
  async function statOf(name: string): Promise<StoredFile | undefined> {
    const found = await stat(pathOf(name)).catch(() => undefined)
    return found && { name, modifiedAt: found.mtimeMs }
  }
}

/** Writes a new file that only its owner can read, and syncs it. */
async function writeSynced(path: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** A file name is only durable after its directory is synced. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

/** Yields nothing if no file was stored yet. */
async function* namesIn(directory: string): AsyncGenerator<string> {
  try {
    for await (const { name } of await opendir(directory)) yield name
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}

function isMissing(error: unknown): boolean {
  return errorCode(error) === 'ENOENT'
}

/**
 * The disk is full, read-only, not accessible or broken, another file is in the way, or there are no file descriptors.
 */
const DISK_CODES = new Set([
  'ENOSPC',
  'EDQUOT',
  'EROFS',
  'EACCES',
  'EPERM',
  'EEXIST',
  'ENOTDIR',
  'EIO',
  'EMFILE',
  'ENFILE',
])

function isDiskError(error: unknown): boolean {
  return DISK_CODES.has(errorCode(error) ?? '')
}
