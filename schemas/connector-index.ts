import { type Static, Type } from '@sinclair/typebox'
import { CuratedConnectorEntry } from './connector.ts'
import { RemoteConnectorEntry } from './remote.ts'

/** A connector entry of either variant; only the remote variant has `kind`. */
export const ConnectorEntry = Type.Union([CuratedConnectorEntry, RemoteConnectorEntry])
export type ConnectorEntry = Static<typeof ConnectorEntry>

/** `GET /connectors`. */
export const ConnectorIndex = Type.Object({ connectors: Type.Array(ConnectorEntry) }, { additionalProperties: false })
