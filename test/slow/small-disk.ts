import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'

/** A small file system for one test. */
export interface SmallDisk {
  directory: string
  /** Fills the disk with one file. Returns a function that deletes the file. */
  fill(): () => void
}

/** Mounts a small file system until the end of the test; undefined if this user may not mount one. */
export function mountSmallDisk(t: Test, size: string): SmallDisk | undefined {
  const directory = mkdtempSync(join(tmpdir(), 'cgw-disk-'))
  const mounted = mount(directory, size)
  t.teardown(() => {
    if (mounted) execFileSync('umount', ['-l', directory])
    rmSync(directory, { recursive: true, force: true })
  })
  return mounted ? { directory, fill: () => fill(directory) } : undefined
}

function mount(directory: string, size: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'none', directory], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function fill(directory: string): () => void {
  const path = join(directory, 'filler')
  const file = openSync(path, 'w')
  for (const size of [1 << 20, 1 << 12]) {
    try {
      for (;;) writeSync(file, Buffer.alloc(size))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
  }
  closeSync(file)
  return () => rmSync(path)
}
