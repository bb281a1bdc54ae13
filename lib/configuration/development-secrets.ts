import { randomBytes, randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { errorCode } from '../database/database-errors.ts'
import { ConfigurationError } from './variable.ts'

/** The generated secrets of development, each as its environment variable would hold it. */
const DevelopmentSecrets = Type.Object({
  API_KEY_PEPPERS: Type.String({ minLength: 1 }),
  VAULT_KEYS: Type.String({ minLength: 1 }),
})

type DevelopmentSecrets = Static<typeof DevelopmentSecrets>

/**
 * Reads the secrets in `<dataDir>/secrets.json` (mode 0600), or generates them. Two concurrent first starts agree: both
 * read the file that was linked first. Throws a ConfigurationError.
 */
export function developmentSecrets(dataDir: string): DevelopmentSecrets {
  return inDirectory(dataDir, file => read(file) ?? make(dataDir, file))
}

/** Reads the secrets if they were generated before; changes nothing. Throws a ConfigurationError. */
export function readDevelopmentSecrets(dataDir: string): DevelopmentSecrets | undefined {
  return inDirectory(dataDir, read)
}

function inDirectory<T>(dataDir: string, use: (file: string) => T): T {
  try {
    return use(join(dataDir, 'secrets.json'))
  } catch (error) {
    if (error instanceof ConfigurationError) throw error
    throw new ConfigurationError('DATA_DIR', `must be a writable directory (${errorCode(error) ?? 'unknown error'})`)
  }
}

function read(file: string): DevelopmentSecrets | undefined {
  let secrets: unknown
  try {
    secrets = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    if (!(error instanceof SyntaxError)) throw error
  }
  if (Value.Check(DevelopmentSecrets, secrets)) return secrets
  throw new ConfigurationError('DATA_DIR', 'has an invalid secrets.json; restore it, or use a new directory')
}

function make(dataDir: string, file: string): DevelopmentSecrets {
  const secrets = { API_KEY_PEPPERS: newKey(), VAULT_KEYS: newKey() }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const draft = join(dataDir, `secrets.${randomUUID()}.tmp`)
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

function newKey(): string {
  return `dev:${randomBytes(32).toString('base64')}`
}
