import { type Static, Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { endpointNotFound } from '../plugins/error-envelope/not-found.ts'
import { callerOf } from '../plugins/org-resolution/plugin.ts'
import { isAdmin } from '../services/identity/caller.ts'
import type { OperatorCommands } from '../services/operator/operator-commands.ts'
import type { RemoteConnector, WaitingSnapshot } from '../services/remote-connectors/remote-connectors.ts'
import { UnknownRemote } from '../services/remote-connectors/require-remote.ts'
import { toRemoteRead } from '../services/remote-connectors/to-remote-entry.ts'

/** Any length: an unknown slug gets 404. */
export const SlugPath = Type.Object({ slug: Type.String() })
export type SlugPath = Static<typeof SlugPath>

interface EntryOptions {
  commands: OperatorCommands
  pending?: WaitingSnapshot | undefined
  /** Fields beside those of the entry. */
  more?: object
}

/** The answer with the entry as JSON. A serializer of the schema would walk through every schema of every tool. */
export function remoteEntry(
  request: FastifyRequest,
  reply: FastifyReply,
  remote: RemoteConnector,
  { commands, pending, more }: EntryOptions,
): string {
  const admin = isAdmin(callerOf(request))
  reply.header('content-type', 'application/json; charset=utf-8')
  return JSON.stringify({
    ...toRemoteRead(remote, { origin: request.gatewayOrigin, admin, pending, commands }),
    ...more,
  })
}

/** Turns an unknown slug into the 404 of an unknown path. */
export async function notFoundIfUnknown<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw error instanceof UnknownRemote ? endpointNotFound() : error
  }
}
