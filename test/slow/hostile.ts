import type { Arbitrary } from 'fast-check'
import fc from '../fixtures/property.ts'

/** A malformed or hostile request. */
export interface Hostile {
  headers: Record<string, string>
  body: string | Uint8Array
  /** Whether its Host or Origin is not this service's. */
  foreign: boolean
}

/** Text of any UTF-16 code units, including lone surrogates and NUL, which JSON escapes can contain. */
const anyText = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.constantFrom(0, 0xd800, 0xdfff, 0x22, 0x5c)), {
    maxLength: 40,
  })
  .map(units => String.fromCharCode(...units))

const anyValue = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  anyText,
  fc.constantFrom<unknown>(null, true, 0, -0.5, 1e308, Number.MAX_SAFE_INTEGER + 1, '', [], {}, 'x'.repeat(100_000)),
)

const POLLUTION = '{"polluted":true}'

/** JSON text for the body that JSON.stringify cannot write. */
const rawJson = fc.oneof(
  anyValue.map(value => JSON.stringify(value)),
  fc.constantFrom(
    `{"__proto__":${POLLUTION}}`,
    `{"\\u005f_proto__":${POLLUTION}}`,
    `{"constructor":{"prototype":${POLLUTION}}}`,
    '['.repeat(5_000) + ']'.repeat(5_000),
    `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
    `[${'0,'.repeat(20_000)}0]`,
    '1e999',
    '-0',
    '9'.repeat(400),
    '"\\ud800"',
    '{"a":1,"a":2}',
  ),
)

const method = fc.oneof(
  fc.constantFrom('tools/call', 'tools/list', 'initialize', 'ping', 'server/discover', 'toString', '__proto__'),
  anyText,
)

const toolName = fc.oneof(
  fc.constantFrom(
    'memory__remember',
    'memory__search_memory',
    'memory__list_memories',
    'memory__update_memory',
    'memory__forget',
    'manage__switch_org',
    '__proto__',
    'constructor',
  ),
  anyText,
)

const toolArguments = fc.oneof(
  rawJson,
  fc
    .dictionary(fc.constantFrom('memory', 'query', 'id', 'scope', 'limit', 'cursor', 'organization_id'), anyValue)
    .map(args => JSON.stringify(args)),
)

const MODERN_META =
  '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}'

const params = fc.oneof(
  rawJson,
  fc
    .record({ name: fc.oneof({ arbitrary: toolName, weight: 3 }, anyValue), args: toolArguments, modern: fc.boolean() })
    .map(
      ({ name, args, modern }) =>
        `{"name":${JSON.stringify(name)},"arguments":${args}${modern ? `,${MODERN_META}` : ''}}`,
    ),
)

const fields = {
  jsonrpc: fc.oneof({ arbitrary: fc.constant('"2.0"'), weight: 20 }, rawJson),
  id: fc.oneof({ arbitrary: fc.constant('1'), weight: 8 }, rawJson),
  method: fc.oneof({ arbitrary: method.map(name => JSON.stringify(name)), weight: 20 }, rawJson),
  params: fc.oneof({ arbitrary: params, weight: 8 }, rawJson),
}

/** A message that is almost JSON-RPC: most fields are right, and sometimes one is missing or extra. */
const nearlyRpc = fc
  .oneof(
    { arbitrary: fc.record(fields), weight: 8 },
    fc.record(fields, { requiredKeys: [] }),
    // A computed name, because a plain `__proto__` would set the prototype of this object.
    fc.record({ ...fields, ['__proto__']: rawJson, extra: rawJson }, { requiredKeys: ['jsonrpc', 'method'] }),
  )
  .map(fields => `{${Object.entries(fields).map(([name, json]) => `${JSON.stringify(name)}:${json}`)}}`)

/** A valid call with arbitrary text, so that the text reaches the database and its search. */
const textCall = fc
  .record({
    tool: fc.constantFrom(['memory__remember', 'memory'], ['memory__search_memory', 'query']),
    text: anyText,
  })
  .map(({ tool: [name = '', argument = ''], text }) =>
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: { [argument]: `heron ${text}` } },
    }),
  )

const body: Arbitrary<string | Uint8Array> = fc.oneof(
  { arbitrary: nearlyRpc, weight: 400 },
  { arbitrary: textCall, weight: 100 },
  { arbitrary: textCall, weight: 100 },
  { arbitrary: rawJson, weight: 50 },
  { arbitrary: rawJson.map(json => `[${json}]`), weight: 50 },
  { arbitrary: fc.tuple(nearlyRpc, fc.nat()).map(([json, cut]) => json.slice(0, cut % (json.length + 1))), weight: 50 },
  { arbitrary: fc.uint8Array({ maxLength: 200 }), weight: 50 },
  { arbitrary: fc.constant(''), weight: 10 },
  { arbitrary: fc.constant(`"${'x'.repeat(4 * 1024 * 1024)}"`), weight: 1 },
)

const printable = fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map(code => String.fromCharCode(code)) })

const GOOD_HEADERS = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }

const oddHeaders = fc.record(
  {
    accept: fc.oneof(fc.constantFrom('*/*', 'application/json', 'text/event-stream'), printable),
    'content-type': fc.oneof(
      fc.constantFrom('text/plain', 'application/json; charset=utf-16', 'application/json;', 'multipart/form-data'),
      printable,
    ),
    'content-encoding': fc.constantFrom('gzip', 'x'),
    'accept-encoding': fc.oneof(fc.constantFrom('gzip;q=0', 'gzip;q=', '*', 'identity;q=0'), printable),
    'mcp-protocol-version': fc.oneof(fc.constantFrom('2026-07-28', '2025-11-25', '2999-12-31', '9'), printable),
    'mcp-method': fc.oneof(method.filter(isPrintable), printable),
    'mcp-name': fc.oneof(toolName.filter(isPrintable), fc.constant('=?base64?////?='), printable),
    'idempotency-key': printable,
    'x-forwarded-host': fc.constant('evil.example'),
    'x-forwarded-for': printable,
  },
  { requiredKeys: [] },
)

/** A foreign Host or Origin. */
const foreign = fc.oneof(
  fc
    .constantFrom('evil.example', 'evil.example:80', 'a@127.0.0.1', '127.0.0.1.evil.example', '[::ffff:1]')
    .map(host => ({ host })),
  fc.constantFrom('null', 'https://evil.example', 'http://127.0.0.1', 'file://', 'http://').map(origin => ({ origin })),
)

/** A body and headers that are wrong in any way, sometimes with a foreign Host or Origin. */
const anyhow: Arbitrary<Hostile> = fc
  .record({
    usual: fc.oneof({ arbitrary: fc.constant(GOOD_HEADERS), weight: 9 }, fc.constant({})),
    odd: fc.oneof({ arbitrary: fc.constant({}), weight: 3 }, oddHeaders),
    elsewhere: fc.oneof({ arbitrary: fc.constant(null), weight: 11 }, foreign),
    body,
  })
  .map(({ usual, odd, elsewhere, body }) => ({
    headers: { ...usual, ...odd, ...elsewhere } as Record<string, string>,
    body,
    foreign: elsewhere !== null,
  }))

/** A modern call with matching headers, so that its wrong arguments reach the tool. */
const modernCall: Arbitrary<Hostile> = fc
  .record({ name: toolName.filter(isPrintable), args: toolArguments, id: fields.id })
  .map(({ name, args, id }) => ({
    headers: {
      ...GOOD_HEADERS,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    body: `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":${JSON.stringify(name)},"arguments":${args},${MODERN_META}}}`,
    foreign: false,
  }))

/** Malformed and hostile requests to POST /mcp. */
export const hostile: Arbitrary<Hostile> = fc.oneof({ arbitrary: anyhow, weight: 5 }, modernCall)

function isPrintable(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text)
}
