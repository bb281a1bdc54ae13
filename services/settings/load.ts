import { computeAll } from '../../lib/configuration/faults.ts'
import { parsePeppers, parseVaultKeys } from '../../lib/configuration/key-ring.ts'
import { type Checks, type Environment, readSettings } from '../../lib/configuration/read-settings.ts'
import type { ConfigurationError } from '../../lib/configuration/variable.ts'
import { developmentSecrets } from './key-settings.ts'
import { SETTINGS, type Settings } from './settings.ts'

type SettingChecks = Checks<typeof SETTINGS>

/** Planned variables that this version does not read. */
const LATER_VARIABLES = ['METRICS_PORT']

/**
 * Reads the settings from an environment. Throws InvalidConfiguration with all faults. Has side effects only in
 * development and without a fault: it generates missing secrets in DATA_DIR. Without `checks`, the names of connectors
 * are not checked.
 */
export function loadConfig(env: Environment, checks?: SettingChecks): Settings {
  return load(env, checks, fault => {
    throw fault
  })
}

/**
 * Reads the settings of an operator's command. Most commands need no secret and no origin, so the use of an absent one
 * throws its ConfigurationError, not its absence.
 */
export function loadCommandConfig(env: Environment, checks?: SettingChecks): Settings {
  return load(env, checks, fault => fault)
}

function load(
  env: Environment,
  checks: SettingChecks | undefined,
  absent: (fault: ConfigurationError) => ConfigurationError,
): Settings {
  return readSettings(SETTINGS, env, { checks, absent, later: LATER_VARIABLES }, settings => {
    const { peppers, vaultKeys, dataDir } = settings
    if (peppers !== undefined && vaultKeys !== undefined) return { ...settings, peppers, vaultKeys }
    // Runs last, so that a failed start leaves nothing behind in DATA_DIR.
    const { made } = computeAll({ made: () => developmentSecrets.readOrMake(dataDir) })
    return {
      ...settings,
      peppers: peppers ?? parsePeppers(made.API_KEY_PEPPERS),
      vaultKeys: vaultKeys ?? parseVaultKeys(made.VAULT_KEYS),
    }
  })
}
