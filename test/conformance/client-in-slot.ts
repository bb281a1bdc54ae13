import { once } from 'node:events'
import { connect } from 'node:net'

// Starts the upstream client when a slot is free. The first argument is the port of the server that grants slots.

const slot = connect(Number(process.argv[2]), '127.0.0.1')
await once(slot, 'data')
// The slot is free again when this process ends.
slot.unref()
await import('./upstream-client.ts')
