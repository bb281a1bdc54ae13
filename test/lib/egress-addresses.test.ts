import { BlockList } from 'node:net'
import t from 'tap'
import { isAllowed, parseAllowList } from '../../lib/egress/allow-list.ts'
import { EgressError } from '../../lib/egress/egress.ts'
import { createAddressRules, redactPrivateAddresses } from '../../lib/egress/private-addresses.ts'
import { validateUrl } from '../../lib/egress/validate-destination.ts'
import { egressOf, failureOf, rawUpstream } from '../fixtures/egress-fixture.ts'
import fc from '../fixtures/property.ts'

/** Ranges that are not the public Internet, from the registries of IANA and not from the library under test. */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '168.63.129.16/32',
]
const special = new BlockList()
for (const network of SPECIAL_IPV4) {
  const [address = '', bits] = network.split('/')
  special.addSubnet(address, Number(bits), 'ipv4')
}

type Octets = [number, number, number, number]

const octet = fc.integer({ min: 0, max: 255 })
const anyIPv4 = fc.tuple(octet, octet, octet, octet)

/** An address within one of the special networks. */
const specialIPv4 = fc.tuple(fc.constantFrom(...SPECIAL_IPV4), anyIPv4).map(([network, octets]) => {
  const [address = '', bits] = network.split('/')
  const host = 32 - Number(bits)
  const mask = host === 0 ? 0 : 2 ** host - 1
  const value = (numberOf(address.split('.').map(Number) as Octets) & ~mask) | (numberOf(octets) & mask)
  return [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255] as Octets
})

const base = fc.constantFrom(
  (part: number) => `${part}`,
  (part: number) => `0${part.toString(8)}`,
  (part: number) => `0x${part.toString(16)}`,
  (part: number) => `0X${part.toString(16).toUpperCase()}`,
)

/**
 * The notations of an IPv4 address in the URL standard: one to four parts, each in one of three bases, and a trailing
 * dot.
 */
function spellings(octets: fc.Arbitrary<Octets>): fc.Arbitrary<string> {
  return fc
    .tuple(octets, fc.integer({ min: 1, max: 4 }), fc.array(base, { minLength: 4, maxLength: 4 }), fc.boolean())
    .map(([octets, count, bases, dot]) => {
      const last = octets.slice(count - 1).reduce((sum, part) => sum * 256 + part, 0)
      const parts = [...octets.slice(0, count - 1), last]
      return parts.map((part, i) => bases[i]?.(part)).join('.') + (dot ? '.' : '')
    })
}

const inHex = ([a, b, c, d]: Octets) => `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
const dotted = (octets: Octets) => octets.join('.')

/** Ways to write an IPv4 within an IPv6. */
const embedding = fc.constantFrom<(octets: Octets) => string>(
  octets => `::ffff:${dotted(octets)}`,
  octets => `::ffff:${inHex(octets)}`,
  octets => `0:0:0:0:0:FFFF:${inHex(octets)}`,
  octets => `::${dotted(octets)}`,
  octets => `::${inHex(octets)}`,
  octets => `::ffff:0:${inHex(octets)}`,
  octets => `64:ff9b::${dotted(octets)}`,
  octets => `64:ff9b::${inHex(octets)}`,
  octets => `64:ff9b:1::${inHex(octets)}`,
  octets => `2002:${inHex(octets)}::`,
  octets => `2002:${inHex(octets)}::1`,
  octets => `2001:0:${inHex(octets)}::1`,
)

function numberOf([a, b, c, d]: Octets): number {
  return ((a << 24) | (b << 16) | (c << 8) | d) >>> 0
}

t.test('no notation of a non-public address is allowed, and none reaches this machine', async t => {
  const listener = await rawUpstream(t, socket => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'), '0.0.0.0')
  const egress = egressOf(t, { allowLoopback: false })
  const refused = async (url: string) => (await failureOf(egress.request({ method: 'GET', url }))).reason === 'refused'
  const scheme = fc.constantFrom('http', 'https')

  await t.test('an IPv4', async () => {
    await fc.assert(
      fc.asyncProperty(scheme, spellings(specialIPv4), (scheme, host) =>
        refused(`${scheme}://${host}:${listener.port}/`),
      ),
      { numRuns: 500 },
    )
  })

  await t.test('an IPv4 within an IPv6', async () => {
    await fc.assert(
      fc.asyncProperty(scheme, specialIPv4, embedding, (scheme, octets, embed) =>
        refused(`${scheme}://[${embed(octets)}]:${listener.port}/`),
      ),
      { numRuns: 500 },
    )
  })

  await t.test('an IPv6', async () => {
    const group = fc.integer({ min: 0, max: 0xffff })
    const outside = fc.array(group, { minLength: 8, maxLength: 8 }).filter(([first = 0]) => first >> 13 !== 1)
    const inSpecial = fc
      .tuple(
        fc.constantFrom(
          '::1',
          '::',
          'fc00:',
          'fd12:',
          'fe80:',
          'fec0:',
          'ff02:',
          '100:',
          '2001:db8:',
          '2001:2:',
          '3fff:',
        ),
        group,
      )
      .map(([prefix, last]) => (prefix.startsWith('::') ? prefix : `${prefix}:${last.toString(16)}`))
    const host = fc.oneof(
      outside.filter(groups => groups[0] !== 0x64).map(groups => groups.map(part => part.toString(16)).join(':')),
      inSpecial,
    )
    await fc.assert(
      fc.asyncProperty(scheme, host, (scheme, host) => refused(`${scheme}://[${host}]:${listener.port}/`)),
      { numRuns: 500 },
    )
  })

  t.equal(listener.connections, 0)
})

t.test('only public addresses may be reached over https', async () => {
  const rules = createAddressRules({ allow: parseAllowList([]), allowLoopback: false })
  const destination = { named: false, plain: false }
  // Anycast relays and measurement prefixes may or may not be reachable: left to the library.
  const undecided = new BlockList()
  for (const network of ['192.88.99.0', '192.175.48.0', '192.31.196.0', '192.52.193.0'])
    undecided.addSubnet(network, 24, 'ipv4')
  for (const address of ['100.100.100.200', '192.0.0.192']) undecided.addAddress(address, 'ipv4')
  fc.assert(
    fc.property(fc.oneof(anyIPv4, specialIPv4), octets => {
      const address = dotted(octets)
      fc.pre(!undecided.check(address, 'ipv4'))
      return (rules.refusal(address, destination) === undefined) === !special.check(address, 'ipv4')
    }),
    { numRuns: 2_000 },
  )
})

t.test('EGRESS_ALLOW allows exactly what it names', async t => {
  const rules = createAddressRules({
    allow: parseAllowList(['git.corp.example', '10.1.0.0/16', '192.168.7.9', 'fd00:1::/32']),
    allowLoopback: false,
  })
  const reached = (address: string, named = false, plain = true) =>
    rules.refusal(address, { named, plain }) === undefined

  t.ok(reached('10.1.2.3'), 'an address of its network')
  t.ok(reached('::ffff:10.1.2.3'), 'however it is written')
  t.ok(reached('192.168.7.9'), 'its address')
  t.ok(reached('fd00:1::5'), 'an IPv6 network')
  t.notOk(reached('10.2.0.1'), 'not the network beside it')
  t.notOk(reached('192.168.7.10'), 'not the address beside it')
  t.ok(reached('10.2.0.1', true), 'whatever private address its name resolves to')
  t.ok(rules.names('git.corp.example'))
  t.notOk(rules.names('x.git.corp.example'), 'no name below it')
  t.notOk(reached('93.184.216.34'), 'http to the Internet stays shut')
  t.ok(reached('93.184.216.34', false, false))

  await t.test('a network or a name allows neither this machine nor the platform; the exact address does', async t => {
    const networks = ['127.0.0.0/8', '169.0.0.0/8', '168.0.0.0/8', '100.0.0.0/8', '224.0.0.0/8', '255.0.0.0/8']
    const wide = createAddressRules({
      allow: parseAllowList([...networks, '10.0.0.0/8', '::/7', '2000::/7', 'fc00::/7', 'fe00::/7']),
      allowLoopback: false,
    })
    const guarded = [
      '127.0.0.1',
      '127.9.9.9',
      '::1',
      '169.254.169.254',
      '168.63.129.16',
      '100.100.100.200',
      'fd00:ec2::254',
      'fe80::1',
      '224.0.0.1',
      '255.255.255.255',
      '::7f00:1',
      '2002:7f00:1::',
      '64:ff9b::7f00:1',
      '64:ff9b::a9fe:a9fe',
    ]
    for (const address of guarded) {
      t.not(wide.refusal(address, { named: true, plain: false }), undefined, address)
      const exact = createAddressRules({ allow: parseAllowList([address]), allowLoopback: false })
      t.equal(exact.refusal(address, { named: false, plain: true }), undefined, `${address}, named`)
    }
    for (const address of ['0.0.0.0', '0.1.2.3', '::']) {
      const exact = createAddressRules({ allow: parseAllowList([address]), allowLoopback: true })
      t.not(exact.refusal(address, { named: true, plain: true }), undefined, `${address} is never reached`)
    }
    t.equal(wide.refusal('10.0.0.1', { named: false, plain: true }), undefined)
  })

  await t.test('an invalid entry is refused at once and named in the error', async t => {
    for (const entry of [
      'https://git.corp.example',
      'git.corp.example:8443',
      '10.0.0.0/33',
      '127.1',
      'fe80::1%eth0',
      '',
    ])
      t.throws(() => parseAllowList([entry]), { name: 'TypeError', message: `EGRESS_ALLOW: ${entry} is neither` })
  })

  await t.test('an entry may have every notation that the host of a URL may have', async t => {
    const list = parseAllowList(['Bücher.example.', '::ffff:10.0.0.1', '64:ff9b::a00:2', '10.9.0.1/32'])
    for (const host of ['xn--bcher-kva.example', '10.0.0.1', '[::ffff:a00:1]', '10.0.0.2', '10.9.0.1'])
      t.ok(isAllowed(list, host), host)
    for (const host of ['bucher.example', '10.0.0.3', '[::1]']) t.notOk(isAllowed(list, host), host)
  })
})

t.test('a refusal of this machine names the variable that allows it, by address and by name', async t => {
  const egress = egressOf(t, { allowLoopback: false })
  for (const host of ['127.0.0.1:9000', '[::1]', 'localhost:9000', 'api.localhost']) {
    const { reason, message } = await failureOf(egress.request({ method: 'GET', url: `http://${host}/` }))
    t.equal(reason, 'refused', host)
    t.match(message, 'EGRESS_ALLOW_LOOPBACK', host)
  }
})

t.test('a URL is checked before its name is looked up', async t => {
  const closed = createAddressRules({ allow: parseAllowList(['intranet.local']), allowLoopback: false })
  const open = createAddressRules({ allow: parseAllowList([]), allowLoopback: true })
  const verdict = (url: string, rules = closed) => {
    try {
      return validateUrl(url, rules).href
    } catch (error) {
      return error instanceof EgressError && error.reason
    }
  }
  t.equal(verdict('https://api.example.com/a?b=c'), 'https://api.example.com/a?b=c')
  const refused = [
    'nonsense',
    '/relative',
    'ftp://example.com/',
    'file:///etc/passwd',
    'data:text/plain,x',
    'ws://example.com/',
    'http://example.com/',
    'https://user:secret@example.com/',
    'https://token@example.com/',
    'https://example.com:22/',
    'https://example.com:99999/',
    'https://example.com:25/',
    'https://localhost/',
    'https://LOCALHOST./',
    'https://a.localhost/',
    'https://metadata.google.internal/',
    'https://printer.local/',
    'https://router.home.arpa/',
    'https://[fe80::1%25eth0]/',
    'https://[::1/',
    `https://${'a.'.repeat(200)}com/`,
  ]
  for (const url of refused) t.equal(verdict(url), 'refused', url)
  t.equal(verdict('http://intranet.local:8080/'), 'http://intranet.local:8080/', 'a name that is allowed')
  t.equal(verdict('http://app.localhost:3000/', open), 'http://app.localhost:3000/')
  t.equal(verdict('http://127.1:3000/', open), 'http://127.0.0.1:3000/')
  t.equal(verdict('http://93.184.216.34/', open), 'refused')
})

t.test('private addresses are redacted in every usual notation, and nothing else is', t => {
  const cases: Record<string, string> = {
    'connect ECONNREFUSED 10.0.0.5:5432': 'connect ECONNREFUSED [private address]',
    'at 192.168.1.1.': 'at [private address].',
    'http://127.0.0.1:9/x': 'http://[private address]/x',
    '169.254.169.254, 172.16.0.1, 172.32.0.1': '[private address], [private address], 172.32.0.1',
    'user@100.64.0.1': 'user@[private address]',
    '[fd00::1]:443 and fe80::1%eth0': '[private address] and [private address]',
    'connect ECONNREFUSED ::1:5432': 'connect ECONNREFUSED [private address]',
    '(::1) fd12:3456:789a::1.': '([private address]) [private address].',
    '192.168.008.009 10.08.0.1:80 008.8.8.8': '[private address] [private address] 008.8.8.8',
    '::ffff:10.0.0.5 ::ffff:8.8.8.8': '[private address] ::ffff:8.8.8.8',
    '8.8.8.8:53 2606:4700::1': '8.8.8.8:53 2606:4700::1',
    'at 12:34:56 std::vector :: a v10.2.3.4 10.2.3.4.5 abc::1':
      'at 12:34:56 std::vector :: a v10.2.3.4 10.2.3.4.5 abc::1',
  }
  for (const [text, redacted] of Object.entries(cases)) t.equal(redactPrivateAddresses(text), redacted)
  // The number of addresses that are parsed is bounded. None of the others stays.
  const long = `${'8.8.8.8 '.repeat(600)}10.0.0.1 fd00::1`
  t.match(redactPrivateAddresses(long), /^(?:8\.8\.8\.8 ){499}(?:\[private address\] ?){103}$/)
  t.end()
})
