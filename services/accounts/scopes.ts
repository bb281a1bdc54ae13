import type { Account } from './account.ts'

/** Which of the needed scopes an account lacks; none where the provider does not say what it granted, nor for keys. */
export function missingScopes(
  { grantedScopes }: Pick<Account, 'grantedScopes'>,
  needed: readonly string[] = [],
): string[] {
  return grantedScopes === null ? [] : needed.filter(scope => !grantedScopes.includes(scope))
}
