import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import type { ConnectorDefinition } from '../../services/definitions/connector-types.ts'
import { accessTo, engine } from '../services/connectors/connector-engine-fixture.ts'

type Fields = Record<string, unknown>

/**
 * Calls of a connector's tools to a double of its provider on loopback. `call` gives the whole result, `data` its data.
 * `located` is the connector with the address of the double.
 */
export async function callsTo(
  t: Test,
  connector: ConnectorDefinition,
  double: RequestListener,
  located: (origin: string) => ConnectorDefinition = baseUrl => ({ ...connector, baseUrl }),
  access = accessTo(connector),
) {
  const server = createServer(double)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => new Promise(resolve => server.close(resolve).closeAllConnections()))
  const at = located(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const { run, files } = engine(t)

  function call(operation: string, args: Fields) {
    const tool = connector.tools.find(tool => tool.operation === operation)
    if (tool === undefined) throw new TypeError(`${connector.id} has no tool ${operation}`)
    return run({ ...at, tools: [tool] }, args, access)
  }

  async function data(operation: string, args: Fields): Promise<Fields> {
    return (await call(operation, args)).structuredContent as Fields
  }

  return { call, data, files }
}
