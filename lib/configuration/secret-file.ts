import { randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { errorCode } from '../database/database-errors.ts'
import { ConfigurationError } from './variable.ts'

/** Generated secrets in a file of DATA_DIR (mode 0600). */
interface SecretFile<T> {
  /** Reads the secrets; undefined if there is no file yet. Changes nothing. Throws a ConfigurationError. */
  read(dataDir: string): T | undefined
  /**
   * Reads the secrets, or generates them. Two concurrent first starts agree: both read the file that was linked first.
   * Throws a ConfigurationError.
   */
  readOrMake(dataDir: string): T
}

/** Defines the file `<name>.json` of secrets that `make` generates. */
export function secretFile<T extends TSchema>(name: string, schema: T, make: () => Static<T>): SecretFile<Static<T>> {
  function read(file: string): Static<T> | undefined {
    let secrets: unknown
    try {
      secrets = JSON.parse(readFileSync(file, 'utf8'))
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined
      if (!(error instanceof SyntaxError)) throw error
    }
    if (Value.Check(schema, secrets)) return secrets
    throw new ConfigurationError('DATA_DIR', `has an invalid ${name}.json; restore it, or use a new directory`)
  }

  function write(dataDir: string, file: string): Static<T> {
    const secrets = make()
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    const draft = join(dataDir, `${name}.${randomUUID()}.tmp`)
    try {
      writeFileSync(draft, `${JSON.stringify(secrets, null, 2)}\n`, { flag: 'wx', mode: 0o600, flush: true })
      // A link fails if the name exists, and shows the whole file at once. Writing with `wx` guarantees only the former.
      linkSync(draft, file)
      return secrets
    } catch (error) {
      const theirs = errorCode(error) === 'EEXIST' ? read(file) : undefined
      if (theirs === undefined) throw error
      return theirs
    } finally {
      rmSync(draft, { force: true })
    }
  }

  function inDirectory<R>(dataDir: string, use: (file: string) => R): R {
    try {
      return use(join(dataDir, `${name}.json`))
    } catch (error) {
      if (error instanceof ConfigurationError) throw error
      throw new ConfigurationError('DATA_DIR', `must be a writable directory (${errorCode(error) ?? 'unknown error'})`)
    }
  }

  return {
    read: dataDir => inDirectory(dataDir, read),
    readOrMake: dataDir => inDirectory(dataDir, file => read(file) ?? write(dataDir, file)),
  }
}
