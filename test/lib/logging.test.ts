import { randomBytes } from 'node:crypto'
import t from 'tap'
import { parsePeppers, parseVaultKeys } from '../../lib/configuration/key-ring.ts'
import type { GatewayLogger } from '../../lib/logging/logger.ts'
import { createScrubber } from '../../lib/logging/scrub.ts'
import { mintApiKey } from '../../services/identity/key-format.ts'
import { configuredSecrets } from '../../services/settings/settings.ts'
import { anyText } from '../fixtures/any-text.ts'
import { cpuMs } from '../fixtures/elapsed.ts'
import { memoryLog } from '../fixtures/memory-log.ts'
import fc from '../fixtures/property.ts'
import { socialSettings } from '../fixtures/settings.ts'

const random = (bytes = 24) => randomBytes(bytes).toString('hex')
const jwt = `eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJ${random()}.${random()}`

/** Texts with a secret, and the secret. */
function texts(): [text: string, secret: string][] {
  const secret = random()
  const key = mintApiKey('production')
  const [header = '', payload = ''] = jwt.split('.')
  const pem = `-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----`
  return [
    [`called with ${key}!`, key.slice(9)],
    [`x-api-key%3A%20${key}`, key.slice(9)],
    [`unknown: ${key.slice(0, 20)}`, key.slice(9, 20)],
    [`token ${jwt} was refused`, payload],
    [`token ${header}.${payload.slice(0, 20)}`, payload.slice(0, 20)],
    [`?t=${jwt.replaceAll('.', '%2E')}&x`, payload],
    [`Bearer ${secret}`, secret],
    [`bearer%20${secret}`, secret],
    [`Authorization: Basic ${secret}==`, secret],
    [`Authorization: Digest username="x", response="${secret}"`, secret],
    [`Cookie: a=b; sid=${secret}; c=d`, secret],
    [`postgres://gateway:${secret}@db.internal/gateway`, secret],
    [`redis://:${secret}%40x@h`, secret],
    [`postgres%3A%2F%2Fgateway%3A${secret}%40db`, secret],
    [`begin ${pem} end`, secret],
    [`cut ${pem.slice(0, 60)}`, secret.slice(0, 30)],
    ...[
      'ghp_',
      'gho_',
      'github_pat_',
      'glpat-',
      'xoxb-',
      'xoxp-',
      'sk_live_',
      'rk_live_',
      'whsec_',
      'sk-ant-',
      'GOCSPX-',
      'hf_',
      'npm_',
      'shpat_',
    ].map((prefix): [string, string] => [`the token ${prefix}${secret} of`, secret]),
    [`SG.${secret}.${secret}`, secret],
    [`go to https://checkout.stripe.com/c/pay/cs_test_${secret}#fid1`, secret],
    [`{"url":"https://pay.example/c/pay/cs_live_a1#${secret}"}`, secret],
    [`the intent pi_3PAbc0123456789_secret_${secret} of`, secret],
    [`seti_1PAbc0123456789_secret_${secret}`, secret],
    [`Bearer\t${secret}`, secret],
    ...['jwt', 'client_assertion', 'peppers'].map((name): [string, string] => [`${name}=${secret}`, secret]),
    ['AKIAIOSFODNN7EXAMPLE', 'IOSFODNN7EXAMPLE'],
    ...['code', 'state', 'access_token', 'refresh_token', 'client_secret', 'code_verifier', 'id_token'].flatMap(
      (name): [string, string][] => [
        [`GET /callback?${name}=${secret}&x=1`, secret],
        [`${name}=${secret}&grant_type=authorization_code`, secret],
        [`/login?next=https%3A%2F%2Fa.test%3Fx%3D1%26${name}%3D${secret}`, secret],
      ],
    ),
    [`{"access_token":"${secret}","token_type":"bearer"}`, secret],
    [JSON.stringify(`{"client_secret": "${secret}"}`), secret],
    [`password="two ${secret} words" for x`, secret],
    [`db password: ${secret}`, secret],
    [`API_KEY=${secret}`, secret],
  ]
}

t.test('a credential of a known form is redacted in any text', async t => {
  const { text } = createScrubber()
  for (const [unsafe, secret] of texts()) t.notMatch(text(unsafe), secret, unsafe.replace(secret, '…'))
})

t.test('text that only resembles a credential stays readable', async t => {
  const { text, line } = createScrubber()
  for (const plain of [
    'connect ECONNREFUSED 127.0.0.1:5432',
    'https://db.internal:5432/path?x=1 was asked',
    'key_01990000000070008000000000000001 of usr_0199 used memory__remember',
    'exit code=1, state: ready, basics of tokens',
    'API_KEY_PEPPERS must be a comma list of id:base64',
    'how many live keys stand under each pepper: one without any can go',
  ])
    t.equal(text(plain), plain)
  const request = `${JSON.stringify({ level: 30, id: 'a-1', key: 'key_1', tool: 'memory__remember', outcome: 'invalid_api_key', msg: 'request' })}\n`
  t.equal(line(request), request)
})

t.test('a field with a credential’s name is redacted at any depth, whatever its value', async t => {
  const secret = random()
  const { log, lines } = memoryLog()
  for (const name of ['authorization', 'Cookie', 'set-cookie', 'x-api-key', 'apiKey', 'password', 'token'])
    log.info({ [name]: secret, deep: [{ er: { [name]: [secret, { x: secret }] } }], [`n${name}`]: { [name]: 4711 } })
  for (const name of ['access_token', 'refreshToken', 'id_token', 'client_secret', 'SECRET', 'pepper', 'hash'])
    log.info({ deep: { [name]: { value: secret } } })
  log.info({ rawHeaders: ['Host', 'a.test', 'Cookie', `sid=${secret}`, 'X-Api-Key', secret] })
  t.notMatch(lines.join(''), secret)
  t.notMatch(lines.join(''), '4711')
  t.match(lines.join(''), 'a.test')
  t.same(JSON.parse(memoryLine({ key: 'key_1', keyId: 'k', tokens: 3, hashes: 2 })), {
    key: 'key_1',
    keyId: 'k',
    tokens: 3,
    hashes: 2,
  })

  function memoryLine(fields: object): string {
    return createScrubber().line(JSON.stringify(fields))
  }
})

t.test('configured secrets are redacted in plain text, in URLs, and in JSON within JSON', async t => {
  const password = `p/a"s\\s ${random(8)}ü@`
  const clientSecret = `client ${random(8)}`
  const bytes = [randomBytes(32), randomBytes(48), randomBytes(32)]
  const [pepper = '', old = '', vault = ''] = bytes.map(secret => secret.toString('base64'))
  const secrets = configuredSecrets({
    peppers: parsePeppers(`p2:${pepper},p1:${old}`),
    vaultKeys: parseVaultKeys(`v1:${vault}`),
    database: {
      url: `postgres://gateway:${encodeURIComponent(password)}@db/x`,
      directUrl: 'postgres://gateway:another-password@db/x',
    },
    redisUrl: 'redis://:short@cache',
    oauthClients: new Map([['github', { id: 'app', secret: clientSecret }]]),
    stripe: {
      secretKey: 'a key of Stripe',
      webhookSecrets: ['a webhook secret'],
      livemode: false,
      apiBase: undefined,
      automaticTax: false,
    },
    web: { honorsRobots: true, search: { brave: 'brave-key-secret' } },
    dashboardClient: { issuer: 'https://id.example', clientId: 'app', clientSecret: 'a dashboard secret' },
    media: { providers: { fal: { key: 'a key of fal', baseUrl: 'https://queue.fal.run' } }, models: [] },
    social: socialSettings({
      mastodonToken: 'a token of Mastodon',
      bluesky: { handle: 'ada.example', appPassword: 'a password of Bluesky' },
      reddit: { clientId: 'app', clientSecret: 'a secret of Reddit' },
      xBearerToken: 'a token of X',
    }),
    artifactsS3: {
      bucket: 'files',
      region: 'eu-central-1',
      endpoint: undefined,
      prefix: 'artifacts/',
      credentials: { accessKeyId: 'AKID', secretAccessKey: 'a secret access key' },
    },
  })
  const { log, lines } = memoryLog({ scrubber: createScrubber(secrets) })
  for (const secret of [
    password,
    pepper,
    old,
    vault,
    clientSecret,
    'a token of Mastodon',
    'a password of Bluesky',
    'a secret of Reddit',
    'a token of X',
    'another-password',
    'a key of Stripe',
    'a webhook secret',
    'a dashboard secret',
    'a key of fal',
    'a secret access key',
  ]) {
    const url = encodeURIComponent(secret)
    log.info({ a: secret, b: [url, url.toLowerCase().replace(secret.toLowerCase(), secret)] }, `it was ${secret}!`)
    log.info({ [secret]: JSON.stringify({ x: secret, y: JSON.stringify([secret]) }) })
    const inner = JSON.stringify(secret).slice(1, -1)
    for (const form of [secret.replace(/=+$/, ''), inner, url]) t.notOk(lines.join('').includes(form), form)
  }
  for (const secret of bytes)
    for (const form of ['hex', 'base64url'] as const) {
      log.info(secret.toString(form))
      t.notOk(lines.join('').includes(secret.toString(form)))
    }
  t.match(createScrubber(secrets).text('a short word'), 'a short word', 'too short to be redacted in words')
  t.notMatch(createScrubber(secrets).text('redis://:short@cache'), 'short', 'but not out of a URL')
  for (const line of lines) t.ok(JSON.parse(line))
})

t.test('configured secrets are redacted in HTML and in nested encodings, and the longest one whole', async t => {
  const secret = `p/a"s ${random(8)}&`
  const { text, line } = createScrubber([secret, `${secret}longer`])
  const html = secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  const percent = encodeURIComponent(secret)
  for (const form of [html, encodeURIComponent(percent), encodeURIComponent(html), JSON.stringify(html).slice(1, -1)]) {
    t.equal(text(`it was ${form}!`), 'it was [redacted]!')
    t.same(JSON.parse(line(JSON.stringify({ msg: `it was ${form}!` }))), { msg: 'it was [redacted]!' })
  }
  t.equal(text(`it was ${secret}longer!`), 'it was [redacted]!')
})

t.test('any object with secrets in its texts is logged as one line of JSON without them', async () => {
  const configured = `${random()}"\\\n`
  const unsafe = [...texts(), [configured, configured] as const]
  const scrubber = createScrubber([configured])
  const withSecret = fc
    .tuple(anyText(), fc.constantFrom(...unsafe), anyText())
    .map(([before, [text], after]) => `${before} ${text} ${after}`)
  const value = fc.letrec(tie => ({
    any: fc.oneof(withSecret, fc.string(), fc.integer(), fc.boolean(), fc.constant(null), tie('list'), tie('object')),
    list: fc.array(tie('any'), { maxLength: 4 }),
    object: fc.dictionary(fc.oneof(fc.string(), withSecret), tie('any'), { maxKeys: 4 }),
  }))
  fc.assert(
    fc.property(value.object, withSecret, (fields, message) => {
      const { log, lines } = memoryLog({ scrubber })
      log.info({ fields, message }, '%s', message)
      const [line = ''] = lines
      JSON.parse(line)
      return lines.length === 1 && line.endsWith('\n') && unsafe.every(([, secret]) => !holds(line, secret))
    }),
    { numRuns: 300 },
  )

  function holds(line: string, secret: string): boolean {
    return line.includes(secret) || line.includes(JSON.stringify(secret).slice(1, -1))
  }
})

t.test('the first check of a line skips no line that the full search would redact', async t => {
  const { line, text } = createScrubber()
  for (const [unsafe, secret] of texts()) {
    t.not(text(unsafe), unsafe)
    t.notMatch(line(`${JSON.stringify({ msg: unsafe })}\n`), secret, unsafe.replace(secret, '…'))
  }
})

t.test('no text makes the scrubber slow', async t => {
  const { text, line } = createScrubber(['configured-secret'])
  const words = [
    '-----BEGIN A-----',
    '%3A%2F%2F',
    '://',
    '@',
    'eyJ',
    'password',
    'password=',
    '"password":"',
    'bearer ',
  ]
  for (const piece of [...words, 'cookie: ', 'password\\', "password'", 'code=', '=', ':', '\\', '"', ' ', 'a']) {
    const long = piece.repeat(Math.ceil(500_000 / piece.length))
    const took = await cpuMs(() => {
      for (const unsafe of [long, `password="${long}`, `://${long}`]) {
        text(unsafe)
        line(JSON.stringify({ msg: unsafe }))
      }
    })
    t.ok(took < 3_000, `half a million characters of ${JSON.stringify(piece)}, six times: ${Math.round(took)} ms`)
  }
})

t.test('an error is logged with its causes but without its driver’s fields, under any name', async t => {
  const { log, lines } = memoryLog()
  const hung = {
    code: '23505',
    parameters: ['private memory'],
    detail: 'private memory',
    where: 'private memory',
    query: 'private memory',
  }
  const cause = Object.assign(new Error('duplicate key'), hung)
  log.error({ err: new Error('The tool failed.', { cause }) }, 'failed')
  log.error({ failure: cause, other: 1 }, 'failed')
  log.error(cause)
  t.match(JSON.parse(lines[0] ?? ''), {
    err: { message: 'The tool failed.', cause: { code: '23505', message: 'duplicate key' } },
  })
  t.match(JSON.parse(lines[1] ?? ''), { failure: { message: 'duplicate key', code: '23505' }, other: 1 })
  t.match(JSON.parse(lines[2] ?? ''), { err: { message: 'duplicate key' }, msg: 'duplicate key' })
  t.notMatch(lines.join(''), 'private memory')

  const circular = new Error('round')
  circular.cause = circular
  log.error({ err: circular })
  log.error({ err: new AggregateError([new Error('ECONNREFUSED ::1'), new Error('ECONNREFUSED 127.0.0.1')]) })
  t.match(JSON.parse(lines[4] ?? ''), { err: { errors: [{ message: 'ECONNREFUSED ::1' }, {}] } })
  log.error({ err: new Error('x'.repeat(1_000_000)) }, 'failed')
  t.ok((lines[5] ?? '').length < 50_000, 'and no more of it than is worth reading')
})

t.test('a line that cannot be scrubbed is dropped, and the log says so', async t => {
  const { line } = createScrubber()
  const left = line('{"password":"hunter2')
  t.notMatch(left, 'hunter2')
  t.match(JSON.parse(left).msg, 'was dropped')
})

t.test('a child logger scrubs like its parent, whatever its own redaction options', async t => {
  const { log, lines } = memoryLog()
  log.child({ part: 'x' }, { redact: ['nothing'] }).info({ password: 'hunter2' }, `Bearer ${jwt}`)
  t.notMatch(lines.join(''), /hunter2|eyJ/)
})

t.test('infoLine writes the same line as info, without secrets, and nothing below its level', async t => {
  const secret = random()
  const scrubber = createScrubber([secret])
  const written = (level: string, write: (log: GatewayLogger) => void) => {
    const { log, lines } = memoryLog({ level, scrubber })
    write(log)
    return lines.map(line => ({ ...JSON.parse(line), time: 0 }))
  }
  fc.assert(
    fc.property(
      fc.dictionary(fc.stringMatching(/^[a-z_]{1,10}$/), fc.oneof(anyText(), fc.integer(), fc.constant(null))),
      fields => {
        const all = { ...fields, note: `with ${secret}`, token: 'hidden by its name', nothing: undefined }
        const [line] = written('info', log => log.infoLine(all, 'request'))
        t.same(line, written('info', log => log.info(all, 'request'))[0])
        t.notMatch(JSON.stringify(line), secret)
      },
    ),
  )
  t.same(
    written('warn', log => log.infoLine({ a: 1 }, 'request')),
    [],
  )
})
