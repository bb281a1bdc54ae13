import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'

/** A pipe whose two ends the test controls. */
interface Fifo {
  /** The end for a process or a log to write to. Without `nonBlocking`, a write waits for the reader. */
  openWriter(options?: { nonBlocking: boolean }): number
  /** Reads everything that the pipe holds now. */
  read(): string
  /** Leaves the pipe without a reader. */
  closeReader(): void
  openReader(): void
}

/** Creates a named pipe with a reader that reads only on request. */
export function createFifo(t: Test): Fifo {
  const directory = mkdtempSync(join(tmpdir(), 'cgw-fifo-'))
  const path = join(directory, 'log')
  execFileSync('mkfifo', [path])
  t.teardown(() => rmSync(directory, { recursive: true }))
  const chunk = Buffer.alloc(65_536)
  let reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)

  function readChunk(): number {
    try {
      return readSync(reader, chunk)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return 0
      throw error
    }
  }

  return {
    openWriter: ({ nonBlocking } = { nonBlocking: false }) =>
      openSync(path, constants.O_WRONLY | (nonBlocking ? constants.O_NONBLOCK : 0)),
    read() {
      let text = ''
      for (let size = readChunk(); size > 0; size = readChunk()) text += chunk.toString('latin1', 0, size)
      return text
    },
    closeReader: () => closeSync(reader),
    openReader() {
      reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    },
  }
}
