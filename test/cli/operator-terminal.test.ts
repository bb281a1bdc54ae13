import { PassThrough, Writable } from 'node:stream'
import t from 'tap'
import { command, flag, optional, repeated, secret } from '../../cli/commands/command.ts'
import { printAnswer } from '../../cli/commands/serialize.ts'
import { secretsFromStdin } from '../../cli/secrets-from-stdin.ts'
import { terminalText } from '../../lib/sanitize-text.ts'

/** A terminal and who types in it what each prompt is answered with. */
function terminal(answers: Readonly<Record<string, string>>) {
  const modes: boolean[] = []
  const shown: string[] = []
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (raw: boolean) => modes.push(raw) })
  const stderr = new Writable({
    write(chunk, _encoding, done) {
      shown.push(`${chunk}`)
      stdin.write(answers[`${chunk}`] ?? '')
      done()
    },
  })
  return { stdin, stderr, modes, shown }
}

t.test('the terminal prompts for each secret without echo', async t => {
  const typed = terminal({ 'token: ': 'mistaken\u007f\u007f\r', 'token-secret: ': 'second\r' })
  const args = ['account', 'add', '--token', '-', '--token-secret=-']
  t.same(await secretsFromStdin(args, typed), ['account', 'add', '--token=mistak', '--token-secret=second'])
  t.same(typed.shown, ['token: ', '\n', 'token-secret: ', '\n'])
  t.same(typed.modes, [true, false], 'and the terminal is left as it was')

  const pasted = terminal({ 'token: ': 'one\rtwo\r' })
  t.same((await secretsFromStdin(args, pasted)).slice(2), ['--token=one', '--token-secret=two'])
  for (const answer of ['\r', '\u0003', '\u0004']) {
    const given = terminal({ 'token: ': answer })
    await t.rejects(secretsFromStdin(args, given), { name: 'UsageError' }, 'who enters nothing, or gives up')
    t.same(given.modes, [true, false])
  }
})

t.test('names that others choose cannot move the cursor or add a line in the terminal', async t => {
  const hostile = '\u001b[2J\u009b1m\rroot\u0000\n\u202Etxt\u200B\u2028x'
  const clean = '?[2J?1m?root???txt??x'
  const shown = [
    printAnswer({ identity: hostile }),
    printAnswer({ accounts: [{ identity: hostile }] })
      .split('\n')
      .slice(1)
      .join('\n'),
  ]
  t.same(shown, [`identity: ${clean}`, clean])
  t.equal(terminalText('one\n\ttwo\u001b\r\n', { lines: true }), 'one\n\ttwo??\n')
  t.equal(printAnswer({ id: 1, name: 'Zoë 世界 🦊', none: null }), 'id: 1\nname: Zoë 世界 🦊\nnone: null')
})

t.test('messages about invalid arguments never contain a possible secret', async t => {
  const add = command('add', {
    about: '',
    options: { org: optional('ORG'), setting: repeated('K=V'), 'no-probe': flag(), 'api-key': secret('K') },
    run: async () => ({}),
  })
  for (const [args, message] of [
    [['--api-key SECRET'], 'Separate --api-key and its value with a space or =.'],
    [['--api-key\tSECRET'], 'Separate --api-key and its value'],
    [['--api-keySECRET'], 'Separate --api-key and its value'],
    [['--org SECRET'], 'Separate --org and its value'],
    [['--apikey=SECRET'], 'There is no option --apikey.'],
    [['--SECRET'], 'There is no such option.'],
    [['--sk_SECRET', '--org', 'x'], 'There is no such option.'],
    [['-kSECRET'], 'There is no such option.'],
    [['--conector', 'x'], 'There is no option --conector.'],
    [['--constructor', 'x'], 'There is no option --constructor.'],
    [['--api-key', '-SECRET'], '--api-key takes K|-, but the next word looks like an option.'],
    [['--api-key'], "'--api-key <value>' argument missing"],
    [['--no-probe=SECRET'], "'--no-probe' does not take an argument"],
    [['SECRET'], 'Usage: add'],
  ] as const) {
    const error: Error = await add.run({}, args).then(
      () => new Error('was taken'),
      error => error,
    )
    t.match(error, { name: 'UsageError' })
    t.ok(error.message.includes(message), `${args}: ${error.message}`)
    t.ok(error.message.includes('Usage: add'))
    t.notMatch(error.message, 'SECRET')
  }
})
