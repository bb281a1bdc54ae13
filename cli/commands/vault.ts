import type { VaultKeyUse } from '../../lib/vault/rotate.ts'
import { type Command, command } from './command.ts'
import type { OperatorServices } from './operator-services.ts'

export const VAULT_COMMANDS: readonly Command<OperatorServices>[] = [
  command('vault rotate', {
    about: 'seal everything under the first key of VAULT_KEYS, while it is used; the others can go when none are left',
    options: {},
    async run({ vaultRotation }: OperatorServices) {
      const done = await vaultRotation.rotate()
      return done.left === 0 ? done : { ...done, note: whyLeft(await vaultRotation.keysInUse()) }
    },
  }),
  command('vault keys', {
    about: 'how many secrets are sealed under each key: one without any can go from VAULT_KEYS',
    options: {},
    async run({ vaultRotation }: OperatorServices) {
      return { keys: await vaultRotation.keysInUse() }
    },
  }),
]

/** Why values are not under the first key after a rotation, and what to do. */
function whyLeft(keys: readonly VaultKeyUse[]): string {
  const missed = keys.filter(({ configured }) => !configured).map(({ id }) => id)
  if (missed.length > 0)
    return (
      `VAULT_KEYS does not name what the rest is sealed under: ${missed.join(', ')}. Add it behind the first one, on ` +
      'every process, and rotate again; what a lost key has sealed must be connected again.'
    )
  return (
    'A process whose VAULT_KEYS begin with another key goes on sealing under that, or some of it does not open (the log ' +
    'names it). Put the first key first on every process, restart them, and rotate again.'
  )
}
