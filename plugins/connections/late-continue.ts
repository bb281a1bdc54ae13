import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/**
 * Sends `100 Continue` when a body is first read, not before the request is looked at: a request that is refused by
 * its headers gets its answer without having sent its body.
 */
export function askForBodiesLate(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    const read = request._read
    request._read = function readAfterAsking(size) {
      request._read = read
      if (!response.headersSent) response.writeContinue()
      read.call(request, size)
    }
    server.emit('request', request, response)
  })
}
