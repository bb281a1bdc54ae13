import { CONNECTOR_ID } from '../../schemas/connector.ts'
import { mustBe } from './configuration-error.ts'
import { splitList } from './lists.ts'

/** The ids of CONNECTORS, whether there are such or not (`requireKnownConnectors`); throws its ConfigurationError. */
export function parseConnectors(list: string): readonly string[] {
  const ids = [...new Set(splitList(list))]
  const syntax = new RegExp(CONNECTOR_ID)
  if (ids.length === 0 || !ids.every(id => syntax.test(id))) throw mustBe('CONNECTORS')
  return ids
}
