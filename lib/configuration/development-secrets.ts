import { randomBytes } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { secretFile } from './secret-file.ts'

/** The secrets of development in `<dataDir>/secrets.json`, each as its environment variable would hold it. */
export const developmentSecrets = secretFile(
  'secrets',
  Type.Object({ API_KEY_PEPPERS: Type.String({ minLength: 1 }), VAULT_KEYS: Type.String({ minLength: 1 }) }),
  () => ({ API_KEY_PEPPERS: newKey(), VAULT_KEYS: newKey() }),
)

function newKey(): string {
  return `dev:${randomBytes(32).toString('base64')}`
}
