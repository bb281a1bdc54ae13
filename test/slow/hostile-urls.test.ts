import type { Socket } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { parseAllowList } from '../../lib/egress/allow-list.ts'
import type { EgressReason, EgressRequest } from '../../lib/egress/egress.ts'
import { egressOf, failureOf, rawUpstream } from '../fixtures/egress-fixture.ts'
import { waitedMs } from '../fixtures/elapsed.ts'

const DEADLINE_MS = 1_000

/** URLs that must not reach the listener on every address of this machine. `port` becomes the listener's port. */
const URLS = [
  // Loopback in the notations of IPv4.
  'https://127.0.0.1:port/',
  'http://127.0.0.1:port/',
  'https://127.1:port/',
  'https://127.0.1:port/',
  'https://127.255.255.254:port/',
  'https://2130706433:port/',
  'https://0x7f000001:port/',
  'https://0x7f.1:port/',
  'https://0x7F.0x0.0x0.0x1:port/',
  'https://017700000001:port/',
  'https://0177.0.0.1:port/',
  'https://0177.0x0.1:port/',
  'https://127.0.0.1.:port/',
  'https://127。0。0。1:port/',
  'https://①②⑦.⓪.⓪.①:port/',
  'https://%31%32%37.0.0.1:port/',
  'https://0:port/',
  'https://0.0.0.0:port/',
  'https://0.1.2.3:port/',
  // Loopback in the notations of IPv6.
  'https://[::1]:port/',
  'http://[::1]:port/',
  'https://[0:0:0:0:0:0:0:1]:port/',
  'https://[::]:port/',
  'https://[::127.0.0.1]:port/',
  'https://[::7f00:1]:port/',
  'https://[::ffff:127.0.0.1]:port/',
  'https://[::ffff:7f00:1]:port/',
  'https://[0:0:0:0:0:ffff:7f00:0001]:port/',
  'https://[::ffff:0:127.0.0.1]:port/',
  'https://[64:ff9b::127.0.0.1]:port/',
  'https://[64:ff9b:1::7f00:1]:port/',
  'https://[2002:7f00:1::]:port/',
  'https://[2001:0:7f00:1::]:port/',
  'https://[fe80::1]:port/',
  'https://[fe80::1%25lo]:port/',
  'https://[::1%25lo]:port/',
  // Names.
  'https://localhost:port/',
  'https://LOCALHOST:port/',
  'https://localhost.:port/',
  'https://api.localhost:port/',
  'https://ｌocalhost:port/',
  'https://metadata.google.internal:port/',
  'https://gateway.local:port/',
  // Private networks and the metadata addresses of hosting platforms.
  'https://10.0.0.1:port/',
  'https://172.16.0.1:port/',
  'https://192.168.0.1:port/',
  'https://100.64.0.1:port/',
  'http://169.254.169.254/latest/meta-data/',
  'https://169.254.169.254/latest/meta-data/',
  'https://0xa9fea9fe/latest/meta-data/',
  'https://2852039166/latest/meta-data/',
  'https://[::ffff:169.254.169.254]/latest/meta-data/',
  'https://[64:ff9b::a9fe:a9fe]/latest/meta-data/',
  'https://[fd00:ec2::254]/latest/meta-data/',
  'https://168.63.129.16/machine',
  'https://100.100.100.200/latest/meta-data/',
  'https://224.0.0.1:port/',
  'https://255.255.255.255:port/',
  'https://[fc00::1]:port/',
  'https://[ff02::1]:port/',
  // URLs that hide the host or do not use HTTP.
  'https://api.example.com@127.0.0.1:port/',
  'https://user:password@api.example.com/',
  'https://127.0.0.1:port\\@api.example.com/',
  'https://127.0.0.1:port#@api.example.com/',
  'https:127.0.0.1:port',
  'https:\\\\127.0.0.1:port/',
  ' https://127.0.0.1:port/',
  'ht\ntps://127.0.0.1:port/',
  'https://127.0.0.1\t:port/',
  'ftp://127.0.0.1:port/',
  'gopher://127.0.0.1:port/_GET',
  'file:///etc/passwd',
  'unix:/var/run/docker.sock',
  'data:text/plain,hello',
  'javascript:alert(1)',
  'https://example.com:22/',
  'https://example.com:25/',
  '//127.0.0.1:port/',
  '/etc/passwd',
  '',
]

/** The addresses that a name's second lookup returns. They lead to the listener; the first lookup returns an allowed one. */
const REBOUND = [
  ['127.0.0.1'],
  ['::1'],
  ['0.0.0.0'],
  ['::'],
  ['::ffff:127.0.0.1'],
  ['127.0.0.2', '127.0.0.1'],
  ['10.0.0.1'],
  ['169.254.169.254'],
  ['fe80::1%lo'],
  ['64:ff9b::7f00:1'],
  ['2002:7f00:1::'],
  ['not an address'],
]

/** Redirect targets of a server that may be reached. `port` becomes the listener's port. */
const REDIRECTS = [
  'http://127.0.0.1:port/',
  'https://127.0.0.1:port/',
  'http://2130706433:port/',
  'http://0x7f.2:port/',
  'http://localhost:port/',
  'http://[::1]:port/',
  'http://[::ffff:127.0.0.1]:port/',
  '//127.0.0.1:port/',
  'http://10.0.0.1:port/',
  'http://169.254.169.254/latest/meta-data/',
  'http://user:password@127.0.0.1:port/',
  'file:///etc/passwd',
  'http://[',
]

const HEAD = 'HTTP/1.1 200 OK\r\n'
const ZEROES = Buffer.alloc(64 * 1024 * 1024)
const encoded = (encoding: string, body: Buffer) => (socket: Socket) => {
  socket.write(`${HEAD}content-encoding: ${encoding}\r\ncontent-length: ${body.length}\r\n\r\n`)
  socket.end(body)
}

/** Hostile servers by what they do, and the reasons that a request to each may fail with. */
const SERVERS: Record<string, [speak: (socket: Socket) => void, ...ends: EgressReason[]]> = {
  'says nothing': [() => {}, 'timeout'],
  'closes at once': [socket => socket.end(), 'unreachable'],
  'resets the connection': [socket => socket.resetAndDestroy(), 'unreachable'],
  'drips its status line': [socket => drip(socket, `${HEAD}\r\n`.repeat(99)), 'timeout', 'unreachable'],
  'drips its headers': [socket => drip(socket, `${HEAD}x: `, 'y'), 'timeout'],
  'drips its body': [socket => drip(socket, `${HEAD}content-length: 1000000\r\n\r\n`, 'y'), 'timeout'],
  'drips its chunks': [socket => drip(socket, `${HEAD}transfer-encoding: chunked\r\n\r\n`, '1\r\ny\r\n'), 'timeout'],
  'sends one header without end': [socket => flood(socket, `${HEAD}x: `, 'y'.repeat(1_024)), 'too_large'],
  'sends headers without end': [socket => flood(socket, HEAD, 'x: y\r\n'.repeat(100)), 'too_large'],
  'sends empty headers without end': [socket => flood(socket, HEAD, 'x:\r\n'.repeat(100)), 'too_large'],
  'sends interim answers without end': [
    socket => flood(socket, '', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(10)),
    'too_large',
  ],
  'sends trailers without end': [
    socket => flood(socket, `${HEAD}transfer-encoding: chunked\r\n\r\n0\r\n`, 'x: y\r\n'.repeat(100)),
    'too_large',
  ],
  'sends a body without end': [socket => flood(socket, `${HEAD}\r\n`, 'y'.repeat(16_384)), 'too_large'],
  'sends chunks without end': [
    socket => flood(socket, `${HEAD}transfer-encoding: chunked\r\n\r\n`, '4\r\nyyyy\r\n'.repeat(1_000)),
    'too_large',
  ],
  'sends a chunk extension without end': [
    socket => flood(socket, `${HEAD}transfer-encoding: chunked\r\n\r\n1;`, 'y'.repeat(1_024)),
    'too_large',
    'unreachable',
    'timeout',
  ],
  'announces more than is read': [socket => socket.write(`${HEAD}content-length: 99999999999\r\n\r\n`), 'too_large'],
  'announces more than it sends': [socket => socket.end(`${HEAD}content-length: 10\r\n\r\nxxx`), 'unreachable'],
  'announces two lengths': [
    socket => socket.end(`${HEAD}content-length: 3\r\ncontent-length: 4\r\n\r\nxxxx`),
    'unreachable',
  ],
  'announces a negative length': [socket => socket.end(`${HEAD}content-length: -1\r\n\r\nx`), 'unreachable'],
  'announces a length and chunks': [
    socket => socket.end(`${HEAD}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`),
    'unreachable',
  ],
  'sends a chunk with an invalid size': [
    socket => socket.end(`${HEAD}transfer-encoding: chunked\r\n\r\nzz\r\nxx\r\n`),
    'unreachable',
  ],
  'ends within a chunk': [socket => socket.end(`${HEAD}transfer-encoding: chunked\r\n\r\nff\r\nx`), 'unreachable'],
  'speaks another protocol': [socket => socket.end('SSH-2.0-OpenSSH_9.7\r\n'), 'unreachable'],
  'answers HTTP/0.9': [socket => socket.end('<html>hello</html>'), 'unreachable'],
  'answers HTTP/2': [socket => socket.end('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), 'unreachable'],
  'answers with an invalid status': [socket => socket.end('HTTP/1.1 99999 OK\r\n\r\n'), 'unreachable'],
  'changes the protocol unasked': [
    socket => socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'),
    'unreachable',
  ],
  'puts NUL into a header': [socket => socket.end(`${HEAD}x: a\0b\r\ncontent-length: 0\r\n\r\n`), 'unreachable'],
  'folds a header': [socket => socket.end(`${HEAD}x: a\r\n b\r\ncontent-length: 1\r\n\r\n`), 'unreachable'],
  'sends a gzip bomb': [encoded('gzip', gzipSync(ZEROES)), 'too_large'],
  'sends a deflate bomb': [encoded('deflate', deflateSync(ZEROES)), 'too_large'],
  'sends a brotli bomb': [encoded('br', brotliCompressSync(ZEROES)), 'too_large'],
  'sends a bomb within a bomb': [encoded('gzip, gzip', gzipSync(gzipSync(ZEROES))), 'unreachable'],
  'sends a broken gzip': [encoded('gzip', Buffer.from('not gzip at all')), 'unreachable'],
  'sends half a gzip': [encoded('gzip', gzipSync(ZEROES).subarray(0, 100)), 'unreachable'],
  'uses an encoding that was not accepted': [encoded('zstd', Buffer.from('x')), 'unreachable'],
  'redirects forever': [
    socket => {
      const answer = () => socket.write('HTTP/1.1 302 Found\r\nlocation: /again\r\ncontent-length: 0\r\n\r\n')
      socket.on('data', answer)
      answer()
    },
    'refused',
  ],
  'redirects with a body without end': [
    socket => flood(socket, 'HTTP/1.1 302 Found\r\nlocation: /again\r\n\r\n', 'y'.repeat(16_384)),
    'refused',
  ],
  'redirects with a body that drips': [
    socket => drip(socket, 'HTTP/1.1 302 Found\r\nlocation: /again\r\ncontent-length: 1000\r\n\r\n', 'y'),
    'timeout',
  ],
}

/** Writes the beginning, then the piece every 20 ms; without a piece, the beginning one character at a time. */
function drip(socket: Socket, beginning: string, piece?: string): void {
  const rest = piece === undefined ? [...beginning] : []
  if (piece !== undefined) socket.write(beginning)
  const timer = setInterval(() => socket.write(piece ?? rest.shift() ?? ''), 20)
  socket.on('close', () => clearInterval(timer))
}

/** Writes the beginning, then the piece again and again, as fast as the client reads. */
function flood(socket: Socket, beginning: string, piece: string): void {
  const fill = () => {
    while (!socket.destroyed && socket.write(piece));
  }
  socket.on('drain', fill)
  socket.write(beginning)
  fill()
}

/** A listener on every address of this machine. */
async function listener(t: Test) {
  return rawUpstream(t, socket => socket.end(`${HEAD}content-length: 7\r\n\r\nreached`), '::')
}

t.test(
  'no hostile URL, name or redirect reaches the listener, and requests to hostile servers end by the deadline',
  async t => {
    let count = 0

    await t.test('URLs', async t => {
      const { port, ...reached } = await listener(t)
      const egress = egressOf(t, { allowLoopback: false })
      for (const url of URLS) {
        const started = performance.now()
        const failure = await failureOf(egress.request({ method: 'GET', url: url.replace('port', `${port}`) }))
        t.equal(failure.reason, 'refused', url)
        t.ok(performance.now() - started < 100, 'at once')
        count++
      }
      t.equal(reached.connections, 0)
    })

    await t.test('names that resolve elsewhere the second time', async t => {
      const trap = await listener(t)
      let answers: string[][] = []
      const egress = egressOf(t, {
        // The first lookup returns an allowed address; later ones do not.
        allow: parseAllowList(['127.0.0.3']),
        allowLoopback: false,
        lookup: (_hostname, _options, callback) =>
          callback(
            null,
            (answers.shift() ?? []).map(address => ({ address, family: address.includes(':') ? 6 : 4 })),
          ),
      })
      const own = await rawUpstream(
        t,
        socket => socket.end(`${HEAD}connection: close\r\ncontent-length: 0\r\n\r\n`),
        '127.0.0.3',
      )
      for (const [i, rebound] of REBOUND.entries()) {
        answers = [['127.0.0.3'], rebound]
        const ask = (port: number) => egress.request({ method: 'GET', url: `http://a${i}.example:${port}/` })
        t.equal((await ask(own.port)).status, 200)
        t.equal((await failureOf(ask(trap.port))).reason, 'unreachable', `${rebound}`)
        count++
      }
      t.equal(trap.connections, 0)
    })

    await t.test('redirects', async t => {
      const trap = await listener(t)
      let location = ''
      const server = await rawUpstream(
        t,
        socket =>
          socket.end(`HTTP/1.1 302 Found\r\nlocation: ${location}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`),
        '127.0.0.3',
      )
      const egress = egressOf(t, { allow: parseAllowList(['127.0.0.3']), allowLoopback: false })
      for (const target of REDIRECTS) {
        location = target.replace('port', `${trap.port}`)
        const request = { method: 'GET', url: `http://127.0.0.3:${server.port}/`, maxRedirects: 5 }
        t.equal((await failureOf(egress.request(request))).reason, 'refused', target)
        count++
      }
      t.equal(server.connections, REDIRECTS.length)
      t.equal(trap.connections, 0)
    })

    await t.test('servers', async t => {
      const egress = egressOf(t)
      for (const [name, [speak, ...ends]] of Object.entries(SERVERS)) {
        const server = await rawUpstream(t, speak)
        const request: EgressRequest = {
          method: 'GET',
          url: server.origin,
          deadlineMs: DEADLINE_MS,
          maxBytes: 1_000_000,
          maxRedirects: 5,
        }
        const read = async () => {
          const { body } = await egress.stream(request)
          for await (const _ of body);
        }
        for (const [way, ask] of Object.entries({ request: () => egress.request(request), stream: read })) {
          let reason: string | undefined
          const waited = await waitedMs(async () => {
            reason = (await failureOf(ask())).reason
          })
          t.ok(
            ends.some(end => end === reason),
            `a server that ${name}, asked by ${way}: ${reason}`,
          )
          t.ok(waited < DEADLINE_MS + 1_000, `by the deadline: ${waited} ms`)
        }
        count++
      }
    })

    t.comment(`${count} hostile URLs, names, redirects and servers`)
    t.ok(count >= 50)
  },
)
