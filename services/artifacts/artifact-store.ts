import type { Readable } from 'node:stream'
import { GatewayError } from '../../lib/errors/errors.ts'

/** A range of bytes. Both ends are included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** A complete file of a store. */
export interface StoredFile {
  readonly name: string
  /** When it was written, in milliseconds since 1970. */
  readonly modifiedAt: number
}

/**
 * Keeps the bytes of artifacts: on a disk or in S3. Names have the form of artifact IDs and are written once. Throws
 * internal_error if the storage does not work.
 */
export interface ArtifactStore {
  /** Stores a stream as a whole or not at all. Throws what the stream throws, and the signal's reason. */
  write(name: string, content: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<void>
  /** Returns the bytes of a file; undefined for an unknown name. Destroying the stream ends the transfer. */
  read(name: string, range?: ByteRange): Promise<Readable | undefined>
  has(name: string): Promise<boolean>
  /** Removes files. A name without a file is not an error. */
  remove(names: readonly string[]): Promise<void>
  /** Lists the complete files. Skips what is not an artifact. */
  list(): AsyncIterable<StoredFile>
  /** Removes what interrupted writes left before a time, in milliseconds since 1970. Returns their number. */
  removePartial(before: number): Promise<number>
}

/** The error of a storage that does not work; `check` is what an operator checks. */
export function cannotStore(check: string, cause: unknown): GatewayError {
  return new GatewayError(
    'internal_error',
    `This gateway cannot store files now. Ask the operator to check ${check}. Tools without files still work.`,
    { cause },
  )
}
