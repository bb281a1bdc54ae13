import { GatewayError } from '../../lib/errors/errors.ts'
import type { AccountSettings } from '../accounts/account.ts'
import type { GrantConnector } from '../definitions/define-connector.ts'
import { isHostLabels, PLACEHOLDER, settingOf } from '../definitions/placeholders.ts'

/**
 * Returns a connector with the OAuth endpoints of one account, whose hosts may contain a setting that the member gave.
 * Throws invalid_request for a missing or invalid setting.
 */
export function withAccountEndpoints<Connector extends GrantConnector>(
  connector: Connector,
  settings: AccountSettings,
): Connector {
  const { auth, name } = connector
  if (auth.type !== 'oauth2') return connector
  const { authorizationUrl, tokenUrl } = auth
  if (!PLACEHOLDER.test(authorizationUrl) && !PLACEHOLDER.test(tokenUrl)) return connector

  function fill(url: string): string {
    return url.replace(new RegExp(PLACEHOLDER, 'g'), (_, place: string) => {
      const setting = settingOf(place) ?? place
      const value = Object.hasOwn(settings, setting) ? (settings[setting] ?? '') : ''
      if (isHostLabels(value)) return value
      throw new GatewayError(
        'invalid_request',
        `${name} needs the setting ${setting}, a plain host name. Connect the account again with it.`,
      )
    })
  }
  return { ...connector, auth: { ...auth, authorizationUrl: fill(authorizationUrl), tokenUrl: fill(tokenUrl) } }
}
