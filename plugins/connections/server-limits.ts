import { earlyAnswers } from './early-answer.ts'

const MAX_HEADER_BYTES = 16 * 1024

/** For a client to read its last answer. */
export const LINGER_LIMITS = { ms: 1_000, bytes: 1024 * 1024, smallBody: 64 * 1024 }

/** What a client may send and how long it may take, under the names of Fastify's options: bytes and milliseconds. */
export const SERVER_LIMITS = {
  bodyLimit: 64 * 1024,
  requestTimeout: 30_000,
  /** Longer than balancers keep an idle connection: the side that asks should end it. */
  keepAliveTimeout: 72_000,
  /** Also ends a close that waits for its answers; lib/process/shutdown.ts has the limit for that. */
  pluginTimeout: 60_000,
  /** No part of a path is longer than all headers may be: an ID of any length reaches its route, which does not find it. */
  routerOptions: { maxParamLength: MAX_HEADER_BYTES },
  http: {
    headersTimeout: 15_000,
    connectionsCheckingInterval: 2_000,
    maxHeaderSize: MAX_HEADER_BYTES,
    requireHostHeader: false, // pipelining.ts checks it
    ServerResponse: earlyAnswers(LINGER_LIMITS),
  },
}
