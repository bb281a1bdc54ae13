import { authorizeInBrowser, COMES_BACK, type Terminal, toArgs } from './browser-authorization.ts'
import { TARGET } from './commands/account-target.ts'
import { type Command, command } from './commands/command.ts'

const TARGET_NAMES = Object.keys(TARGET) as (keyof typeof TARGET)[]

/** Signs in at the provider with the operator's browser, which comes back to a listener on this machine. */
export const CONNECT_ACCOUNT: Command<Terminal> = command('account connect', {
  about: 'connect an account by signing in at the provider; with --account, reauthorize one that is there',
  options: { ...TARGET, ...COMES_BACK },
  run(terminal: Terminal, args) {
    const target = Object.fromEntries(TARGET_NAMES.map(name => [name, args[name]]))
    const { port, 'redirect-uri': comesBack } = args
    return authorizeInBrowser(terminal, {
      port,
      'redirect-uri': comesBack,
      subject: 'The account',
      begin: redirectUri =>
        terminal.execute(['account', 'connect-begin', ...toArgs({ ...target, 'redirect-uri': redirectUri })]),
      finish: (callback, { org, user }) =>
        terminal.execute(['account', 'connect-finish', ...toArgs({ org, user, callback })]),
    })
  },
})
