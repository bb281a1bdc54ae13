import { LOOPBACK_REDIRECT_URI } from '../services/remote-connectors/oauth/client-metadata.ts'
import { authorizeInBrowser, CALLBACK_OPTIONS, type Terminal, toArgs } from './browser-authorization.ts'
import { TARGET } from './commands/accounts.ts'
import { type Command, command, person, required, secret } from './commands/command.ts'

const TARGET_NAMES = Object.keys(TARGET) as (keyof typeof TARGET)[]

/** Succeeds: the settings of a gateway were checked when they were read. */
export const CHECK_CONFIGURATION: Command<Terminal> = command('config check', {
  about: 'check the environment variables, without a database',
  options: {},
  run: async () => ({ ok: true }),
})

/** Signs in at the provider with the operator's browser. The browser returns to a listener on this machine. */
export const CONNECT_ACCOUNT: Command<Terminal> = command('account connect', {
  about: 'connect an account by signing in at the provider; with --account, reauthorize an existing one',
  options: { ...TARGET, ...CALLBACK_OPTIONS },
  run(terminal: Terminal, args) {
    const target = Object.fromEntries(TARGET_NAMES.map(name => [name, args[name]]))
    return authorizeInBrowser(terminal, {
      port: args.port,
      'redirect-uri': args['redirect-uri'],
      subject: 'The account',
      begin: redirectUri =>
        terminal.execute(['account', 'connect-begin', ...toArgs({ ...target, 'redirect-uri': redirectUri })]),
      finish: (callback, { org, user }) =>
        terminal.execute(['account', 'connect-finish', ...toArgs({ org, user, callback })]),
    })
  },
})

/**
 * Gives a registered MCP server its credential: signs in with the operator's browser, which returns to a listener on this
 * machine, or stores another token.
 */
export const CONNECT_REMOTE: Command<Terminal> = command('remote connect', {
  about:
    'authorize a registered MCP server by signing in; with --token, store another token; with --user, for that member if each has their own',
  positional: 'SLUG',
  options: { org: required('ORG'), user: person({ required: false }), token: secret('T'), ...CALLBACK_OPTIONS },
  async run(terminal: Terminal, { positional: slug, org, user, token, ...callback }) {
    if (token !== undefined) return terminal.execute(['remote', 'connect-token', slug, ...toArgs({ org, user, token })])
    // Before the listener opens, so that a server that needs no sign-in does not fail on a port in use.
    const { user: member } = (await terminal.execute([
      'remote',
      'connect-as',
      slug,
      ...toArgs({ org, user }),
    ])) as Readonly<Record<string, string>>
    return authorizeInBrowser(terminal, {
      ...callback,
      defaultPort: Number(new URL(LOOPBACK_REDIRECT_URI).port),
      subject: 'The server',
      begin: redirectUri =>
        terminal.execute([
          'remote',
          'connect-begin',
          slug,
          ...toArgs({ org, user: member, 'redirect-uri': redirectUri }),
        ]),
      finish: url =>
        terminal.execute(['remote', 'connect-finish', slug, ...toArgs({ org, user: member, callback: url })]),
    })
  },
})
