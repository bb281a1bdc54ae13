import { LOOPBACK_REDIRECT_URI } from '../services/remote-connectors/oauth/loopback-redirect.ts'
import { authorizeInBrowser, COMES_BACK, type Terminal, toArgs } from './browser-authorization.ts'
import { type Command, command, optional, required, secret } from './commands/command.ts'

/**
 * Gives a registered upstream its credential: signs in with the operator's browser, which comes back to a listener on
 * this machine, or takes another token where it has one.
 */
export const CONNECT_REMOTE: Command<Terminal> = command('remote connect', {
  about: 'authorize a registered MCP server by signing in; with --token, give it another token',
  positional: 'SLUG',
  options: { org: required('ORG'), user: optional('USER'), token: secret('T'), ...COMES_BACK },
  async run(terminal: Terminal, { positional: slug, org, user, token, port, 'redirect-uri': comesBack }) {
    if (token !== undefined) return terminal.execute(['remote', 'connect-token', slug, ...toArgs({ org, token })])
    // Ahead of the listener: what has nothing to do with signing in is not to meet a port that is in use.
    const { user: who } = (await terminal.execute([
      'remote',
      'connect-as',
      slug,
      ...toArgs({ org, user }),
    ])) as Readonly<Record<string, string>>
    return authorizeInBrowser(terminal, {
      port,
      'redirect-uri': comesBack,
      usualPort: Number(new URL(LOOPBACK_REDIRECT_URI).port),
      subject: 'The server',
      begin: redirectUri =>
        terminal.execute(['remote', 'connect-begin', slug, ...toArgs({ org, user: who, 'redirect-uri': redirectUri })]),
      finish: callback => terminal.execute(['remote', 'connect-finish', slug, ...toArgs({ org, user: who, callback })]),
    })
  },
})
