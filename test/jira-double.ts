import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

/** An attachment as Jira received it. */
interface Attachment {
  readonly issue: string
  readonly name: string
  readonly type: string
  readonly bytes: number
  readonly sha256: string
}

class Rejected extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const PATH = /^\/ex\/jira\/([\w-]+)\/rest\/api\/3\/issue\/([A-Z]+-\d+)\/attachments$/

/**
 * A strict server with Jira's request that adds an attachment. It accepts exactly one part, a file named "file", of a known length,
 * and rejects every other path, header and part. It keeps digests only, so that its memory does not grow with the file.
 */
export async function startJira(t: Pick<Test, 'teardown'>, { cloudId, token }: { cloudId: string; token: string }) {
  const attachments: Attachment[] = []
  const rejections: string[] = []
  const state = { token, maxBytes: Number.POSITIVE_INFINITY }
  const server = createServer((request, response) => {
    const answer = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    receive(request).then(
      attachment => {
        attachments.push(attachment)
        const { name: filename, bytes: size, type: mimeType } = attachment
        answer(200, [{ id: String(10_000 + attachments.length), filename, size, mimeType, self: 'https://jira.test' }])
      },
      (error: Error) => {
        rejections.push(error.message)
        answer(error instanceof Rejected ? error.status : 400, { errorMessages: [error.message] })
      },
    )
  })

  async function receive(request: IncomingMessage): Promise<Attachment> {
    const { headers, method, url = '' } = request
    const [, cloud, issue] = PATH.exec(url) ?? []
    if (method !== 'POST' || cloud !== cloudId || issue === undefined) throw new Rejected(404, `No ${method} ${url}`)
    if (headers.authorization !== `Bearer ${state.token}`) throw new Rejected(401, 'Unknown token')
    if (headers['x-atlassian-token'] !== 'no-check') throw new Rejected(403, 'XSRF check failed')
    const boundary = /^multipart\/form-data; boundary=([\w-]{1,70})$/.exec(headers['content-type'] ?? '')?.[1]
    if (boundary === undefined) throw new Rejected(415, 'Not multipart/form-data')
    const length = Number(headers['content-length'] ?? Number.NaN)
    if (Number.isNaN(length)) throw new Rejected(411, 'No length')
    // Like Jira, before the body is read.
    if (length > state.maxBytes) throw new Rejected(413, `Attachments have at most ${state.maxBytes} bytes`)
    return { issue, ...(await readFile(request, boundary, length)) }
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { attachments, rejections, state, baseUrl: `${origin}/ex/jira/{settings.cloud_id}` }
}

const HEAD = /^content-disposition: form-data; name="file"; filename="([^"\r\n]+)"\r\ncontent-type: ([\w.+/-]+)$/i

/** Reads a body of one file, whose length follows from that of the body. */
async function readFile(request: IncomingMessage, boundary: string, length: number) {
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  const hash = createHash('sha256')
  let head: Buffer | undefined
  let size = 0
  let left = 0
  let pending = Buffer.alloc(0)
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    pending = Buffer.concat([pending, chunk])
    if (head === undefined) {
      const end = pending.indexOf('\r\n\r\n')
      if (end < 0) continue
      head = pending.subarray(0, end)
      pending = pending.subarray(end + 4)
      left = length - end - 4 - tail.length
    }
    const content = pending.subarray(0, left)
    hash.update(content)
    left -= content.length
    pending = pending.subarray(content.length)
  }
  const first = `--${boundary}\r\n`
  const text = head?.toString() ?? ''
  const [, name, type] = (text.startsWith(first) && HEAD.exec(text.slice(first.length))) || []
  if (size !== length || name === undefined || type === undefined || left !== 0 || !pending.equals(tail))
    throw new Rejected(400, `Not one file: ${text}`)
  return { name, type, bytes: length - (head?.length ?? 0) - 4 - tail.length, sha256: hash.digest('hex') }
}
