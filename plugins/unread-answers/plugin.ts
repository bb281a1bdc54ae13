import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { countAnswersBehind } from '../../lib/http/connection-answers.ts'
import type { UnreadAnswers } from '../../lib/unread-answers/unread-answers.ts'
import { identityOf } from '../identity/plugin.ts'

interface UnreadAnswersPluginOptions {
  unread: Pick<UnreadAnswers, 'refusal' | 'keep'>
}

/** The size in bytes from which a response is counted before it is sent. */
const LARGE = 32 * 1024

async function unreadAnswers(app: FastifyInstance, { unread }: UnreadAnswersPluginOptions) {
  app.addHook('onRequest', function shedUnread(request, _reply, done) {
    done(unread.refusal(identityOf(request).meterKey))
  })

  app.addHook('onSend', function keepLargeAnswer(request, _reply, payload, done) {
    const { socket } = request.raw
    if (request.identity === null || !isText(payload) || !(isLarge(payload) || hasUnread(socket)))
      return done(null, payload)
    const refused = unread.keep(socket, request.identity.meterKey, Buffer.byteLength(payload))
    if (refused !== undefined) return done(refused)
    // As bytes, because Node would count the characters of a waiting string and keep it in addition to its bytes.
    done(null, typeof payload === 'string' ? Buffer.from(payload) : payload)
  })
}

function isText(payload: unknown): payload is string | Buffer {
  return typeof payload === 'string' || Buffer.isBuffer(payload)
}

function isLarge(payload: string | Buffer): boolean {
  // A character has at most 3 bytes.
  return payload.length >= LARGE || (payload.length >= LARGE / 3 && Buffer.byteLength(payload) >= LARGE)
}

/** Whether a client sends requests without reading the responses. Then small responses count for its credential, too. */
function hasUnread(socket: Socket): boolean {
  return socket.writableLength > 0 || countAnswersBehind(socket) > 0
}

export default fp(unreadAnswers, {
  name: 'unread-answers',
  fastify: '5.x',
  dependencies: ['error-envelope', 'identity', 'connections'],
})
