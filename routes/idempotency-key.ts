import type { FastifyReply, FastifyRequest, RouteGenericInterface } from 'fastify'
import { GatewayError } from '../lib/errors/errors.ts'
import { isRepeated } from '../lib/http/headers.ts'
import { identityOf } from '../plugins/identity/plugin.ts'
import { callerOf } from '../plugins/org-resolution/plugin.ts'
import type { Idempotency } from '../services/idempotency/idempotency.ts'
import { holderOf } from '../services/identity/identity.ts'

/** What a POST answers. */
interface Answer {
  /** 200 if absent. */
  status?: 200 | 201
  body: object
  /** Members of the body that are shown only now, such as a secret. They are never stored, so a repetition lacks them. */
  shownOnce?: object
}

/**
 * Makes the handler of a POST run once per `Idempotency-Key`: within 24 hours, a repetition gets the stored answer, with
 * `Idempotent-Replayed: true`. After an error, the next request runs. Throws idempotency_conflict for the same key with
 * another path or body, and invalid_request for an invalid key.
 */
export function oncePerKey<R extends RouteGenericInterface>(
  once: Idempotency['once'],
  handler: (request: FastifyRequest<R>) => Promise<Answer>,
) {
  return async function runOncePerKey(request: FastifyRequest<R>, reply: FastifyReply): Promise<object> {
    const key = request.headers['idempotency-key']
    if (key === undefined) {
      const { status = 200, body, shownOnce } = await handler(request)
      reply.code(status)
      return { ...body, ...shownOnce }
    }

    if (isRepeated('idempotency-key', request.raw.rawHeaders))
      throw new GatewayError('invalid_request', 'The request has more than one Idempotency-Key. Send one.')

    // What must not be stored stays in this variable, which only the request that runs the handler has.
    let shownOnce: object | undefined
    let ran = false
    const { method, params, body: sent = null } = request
    const call = {
      orgId: callerOf(request).orgId,
      holder: holderOf(identityOf(request)),
      tool: `${method} ${request.routeOptions.url}`,
      key: String(key),
      args: { params, body: sent },
    }
    const answer = await once(call, async () => {
      const { status = 200, body, shownOnce: fresh } = await handler(request)
      ran = true
      shownOnce = fresh
      return { status, body }
    })
    if (!ran) reply.header('idempotent-replayed', 'true')
    reply.code(answer.status)
    return { ...answer.body, ...shownOnce }
  }
}
