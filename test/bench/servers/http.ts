import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { report } from './report.ts'

const body = JSON.stringify({ status: 'ok' })
const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }

const server = createServer((request, response) => {
  request.resume()
  response.writeHead(200, headers).end(body)
})
server.listen(0, '127.0.0.1', () => report({ port: (server.address() as AddressInfo).port }))
