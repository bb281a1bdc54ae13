import { earlyAnswers } from './early-answer.ts'

const MAX_HEADER_BYTES = 16 * 1024

/** The limits for a client to read its last response. */
export const LINGER_LIMITS = { ms: 1_000, bytes: 1024 * 1024, smallBody: 64 * 1024 }

/** Limits on the size and duration of requests, under the names of Fastify's options, in bytes and milliseconds. */
export const SERVER_LIMITS = {
  bodyLimit: 64 * 1024,
  requestTimeout: 30_000,
  /** Longer than balancers keep an idle connection, because the client should end it. */
  keepAliveTimeout: 72_000,
  /** Also limits a close that waits for responses. lib/process/shutdown.ts has the lower limit for that. */
  pluginTimeout: 60_000,
  /** As long as all headers can be, so that an ID of any length reaches its route and gets 404. */
  routerOptions: { maxParamLength: MAX_HEADER_BYTES },
  http: {
    headersTimeout: 15_000,
    connectionsCheckingInterval: 2_000,
    maxHeaderSize: MAX_HEADER_BYTES,
    requireHostHeader: false, // pipelining.ts checks it
    ServerResponse: earlyAnswers(LINGER_LIMITS),
  },
}
