import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { type ConnectionLimits, watchConnections } from './connections.ts'

export interface ConnectionsOptions extends ConnectionLimits {
  /** Calls its listener, which returns the number of requests in flight, when the process begins to drain. */
  onDrain(listener: () => number): void
}

async function connections(app: FastifyInstance, { onDrain, ...limits }: ConnectionsOptions) {
  const watched = watchConnections(app.server, { ...limits, log: app.log })
  onDrain(watched.drain)
  app.addHook('preClose', async function closeConnections() {
    await watched.close()
  })
}

export default fp(connections, { name: 'connections', fastify: '5.x' })
