import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { S3Settings } from '../lib/configuration/s3.ts'

const MIN_PART_BYTES = 5 * 1024 ** 2
/** Query parameters and headers that this double knows. It rejects others, so that it never ignores one. */
const PARAMETERS = new Set(['x-id', 'uploads', 'uploadId', 'partNumber', 'list-type', 'prefix', 'continuation-token'])
const HEADERS = new Set(['x-amz-date', 'x-amz-content-sha256', 'x-amz-user-agent'])

interface Stored {
  readonly path: string
  readonly etag: string
  readonly at: number
}

interface PartialUpload {
  readonly key: string
  readonly at: number
  readonly parts: Map<number, Stored>
}

interface Ask {
  readonly method: string
  readonly key: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly body: Readable
}

interface Reply {
  readonly status: number
  readonly headers?: Record<string, string>
  readonly xml?: string
  readonly file?: Readable
}

class S3Error extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string) {
    super(code)
    this.status = status
    this.code = code
  }
}

/**
 * A strict server with the part of the API of S3 that the gateway uses, for one bucket. It stores in a directory, checks
 * the credential and the digests of bodies, and rejects every parameter and header that it does not know.
 */
export async function startS3({ directory, pageSize = 1_000 }: { directory: string; pageSize?: number }) {
  mkdirSync(directory, { recursive: true })
  const settings = {
    bucket: 'files',
    region: 'eu-test-1',
    prefix: 'gateway/',
    credentials: { accessKeyId: 'AKIDTEST', secretAccessKey: randomUUID() },
  }
  const objects = new Map<string, Stored>()
  const uploads = new Map<string, PartialUpload>()
  const log: string[] = []
  const state = { now: Date.now, fail: undefined as ((method: string, key: string) => S3Error | undefined) | undefined }

  async function keep(body: Readable, sha256: string): Promise<Stored> {
    const path = join(directory, randomUUID())
    const md5 = createHash('md5')
    const hash = createHash('sha256')
    const hashed = new Transform({
      transform(chunk, _encoding, done) {
        md5.update(chunk)
        hash.update(chunk)
        done(null, chunk)
      },
    })
    try {
      await pipeline(body, hashed, createWriteStream(path))
    } catch (error) {
      rmSync(path, { force: true })
      throw error
    }
    if (hash.digest('hex') !== sha256) throw new S3Error(400, 'XAmzContentSHA256Mismatch')
    return { path, etag: `"${md5.digest('hex')}"`, at: state.now() }
  }

  const uploadOf = (query: URLSearchParams): PartialUpload => {
    const upload = uploads.get(query.get('uploadId') ?? '')
    if (upload === undefined) throw new S3Error(404, 'NoSuchUpload')
    return upload
  }

  async function complete({ key, query, body }: Ask): Promise<Reply> {
    const upload = uploadOf(query)
    const asked = [...(await text(body)).matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part = '']) => ({
      number: Number(/<PartNumber>(\d+)</.exec(part)?.[1]),
      etag: (/<ETag>(.*?)</.exec(part)?.[1] ?? '').replaceAll('&quot;', '"'),
    }))
    if (asked.length === 0) throw new S3Error(400, 'MalformedXML')
    const parts = asked.map(({ number, etag }, index) => {
      const part = upload.parts.get(number)
      if (part === undefined || part.etag !== etag) throw new S3Error(400, 'InvalidPart')
      if (number <= (asked[index - 1]?.number ?? 0)) throw new S3Error(400, 'InvalidPartOrder')
      const last = index === asked.length - 1
      if (!last && statSync(part.path).size < MIN_PART_BYTES) throw new S3Error(400, 'EntityTooSmall')
      return part
    })
    const path = join(directory, randomUUID())
    for (const part of parts) await pipeline(createReadStream(part.path), createWriteStream(path, { flags: 'a' }))
    abort(query.get('uploadId') ?? '')
    objects.set(key, { path, etag: `"${randomUUID()}-${parts.length}"`, at: state.now() })
    return { status: 200, xml: '<CompleteMultipartUploadResult/>' }
  }

  function abort(id: string): void {
    for (const { path } of uploads.get(id)?.parts.values() ?? []) rmSync(path, { force: true })
    uploads.delete(id)
  }

  function serve({ method, key, headers }: Ask): Reply {
    const object = objects.get(key)
    if (object === undefined) throw new S3Error(404, 'NoSuchKey')
    const { size } = statSync(object.path)
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? []
    if (headers.range !== undefined && (first === undefined || Number(first) >= size))
      throw new S3Error(416, 'InvalidRange')
    const [start, end] = first === undefined ? [0, size - 1] : [Number(first), Math.min(Number(last), size - 1)]
    return {
      status: first === undefined ? 200 : 206,
      headers: {
        'content-length': String(end - start + 1),
        etag: object.etag,
        'last-modified': new Date(object.at).toUTCString(),
      },
      ...(method === 'GET' && size > 0 && { file: createReadStream(object.path, { start, end }) }),
    }
  }

  function listObjects(query: URLSearchParams): Reply {
    const from = query.get('continuation-token') ?? ''
    const keys = [...objects.keys()].filter(key => key.startsWith(query.get('prefix') ?? '')).toSorted()
    const page = keys.filter(key => key > from).slice(0, pageSize)
    const more = page.length > 0 && page.at(-1) !== keys.at(-1)
    const items = page.map(
      key =>
        `<Contents><Key>${key}</Key><LastModified>${new Date(objects.get(key)?.at ?? 0).toISOString()}</LastModified></Contents>`,
    )
    const next = more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
    return {
      status: 200,
      xml: `<ListBucketResult><IsTruncated>${more}</IsTruncated>${next}${items.join('')}</ListBucketResult>`,
    }
  }

  function listUploads(query: URLSearchParams): Reply {
    const items = [...uploads]
      .filter(([, { key }]) => key.startsWith(query.get('prefix') ?? ''))
      .map(
        ([id, { key, at }]) =>
          `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${new Date(at).toISOString()}</Initiated></Upload>`,
      )
    return { status: 200, xml: `<ListMultipartUploadsResult>${items.join('')}</ListMultipartUploadsResult>` }
  }

  async function answer(ask: Ask): Promise<Reply> {
    const { method, key, query, headers, body } = ask
    const sha256 = String(headers['x-amz-content-sha256'])
    if (key === '' && method === 'GET') {
      if (query.has('uploads')) return listUploads(query)
      if (query.get('list-type') === '2') return listObjects(query)
    }
    if (key === '') throw new S3Error(501, 'NotImplemented')
    if (method === 'POST' && query.has('uploads')) {
      const id = randomUUID()
      uploads.set(id, { key, at: state.now(), parts: new Map() })
      return {
        status: 200,
        xml: `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
      }
    }
    if (method === 'POST' && query.has('uploadId')) return complete(ask)
    if (method === 'PUT' && query.has('uploadId')) {
      const { parts } = uploadOf(query)
      const part = await keep(body, sha256)
      parts.set(Number(query.get('partNumber')), part)
      return { status: 200, headers: { etag: part.etag } }
    }
    if (method === 'DELETE' && query.has('uploadId')) {
      uploadOf(query)
      abort(query.get('uploadId') ?? '')
      return { status: 204 }
    }
    if (query.size > 0 && !(query.size === 1 && query.has('x-id'))) throw new S3Error(501, 'NotImplemented')
    if (method === 'PUT') {
      const object = await keep(body, sha256)
      objects.set(key, object)
      return { status: 200, headers: { etag: object.etag } }
    }
    if (method === 'GET' || method === 'HEAD') return serve(ask)
    if (method !== 'DELETE') throw new S3Error(405, 'MethodNotAllowed')
    const object = objects.get(key)
    if (object !== undefined) rmSync(object.path, { force: true })
    objects.delete(key)
    return { status: 204 }
  }

  function askOf(request: IncomingMessage): Ask {
    const { method = '', headers } = request
    const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://s3')
    const [, bucket, ...rest] = pathname.split('/')
    const { credentials, region } = settings
    const day = String(headers['x-amz-date']).slice(0, 8)
    const scope = `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${day}/${region}/s3/aws4_request, `
    if (headers.authorization?.startsWith(scope) !== true) throw new S3Error(403, 'InvalidAccessKeyId')
    if (bucket !== settings.bucket) throw new S3Error(404, 'NoSuchBucket')
    for (const name of query.keys()) if (!PARAMETERS.has(name)) throw new S3Error(501, `NotImplemented ${name}`)
    for (const name of Object.keys(headers))
      if (name.startsWith('x-amz-') && !HEADERS.has(name)) throw new S3Error(501, `NotImplemented ${name}`)
    return { method, key: rest.join('/'), query, headers, body: request }
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const ask = askOf(request)
      log.push(`${ask.method} ${ask.key}`)
      const failure = state.fail?.(ask.method, ask.key)
      if (failure !== undefined) throw failure
      const { status, headers, xml, file } = await answer(ask)
      response.writeHead(status, { ...headers, ...(xml !== undefined && { 'content-type': 'application/xml' }) })
      if (file === undefined) response.end(xml)
      else await pipeline(file, response)
    } catch (error) {
      if (response.headersSent || response.destroyed) return
      const { status, code } = error instanceof S3Error ? error : new S3Error(500, 'InternalError')
      request.resume()
      response.writeHead(status, { 'content-type': 'application/xml' })
      response.end(request.method === 'HEAD' ? undefined : `<Error><Code>${code}</Code></Error>`)
    }
  }

  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))

  return {
    /** The settings of a gateway that uses this bucket. */
    settings: {
      ...settings,
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    } satisfies S3Settings,
    state,
    /** The requests so far: method and key. */
    log,
    keys: () => [...objects.keys()].toSorted(),
    partialUploads: () => uploads.size,
    /** The number of files in the directory, with those of parts. */
    stored: () => readdirSync(directory).length,
    /** Makes an object or an upload older. */
    age(ms: number) {
      for (const [key, object] of objects) objects.set(key, { ...object, at: object.at - ms })
      for (const [id, upload] of uploads) uploads.set(id, { ...upload, at: upload.at - ms })
    },
    put: (key: string, content: string) => fetchPut(key, content),
    error: (status: number, code: string) => new S3Error(status, code),
    connections: () => new Promise<number>(resolve => server.getConnections((_error, count) => resolve(count))),
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }

  function fetchPut(key: string, content: string): void {
    const path = join(directory, randomUUID())
    const stream = createWriteStream(path)
    stream.end(content)
    objects.set(key, { path, etag: `"${randomUUID()}"`, at: state.now() })
  }
}
