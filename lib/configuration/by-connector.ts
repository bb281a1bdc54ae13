import { type Static, type TObject, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Config } from '../../schemas/config.ts'
import { CONNECTOR_ID } from '../../schemas/connector.ts'
import { mustBe } from './configuration-error.ts'

const ID = new RegExp(CONNECTOR_ID)

/**
 * The JSON object by connector id in a variable, its members of a schema. Throws its ConfigurationError, which says where
 * it is wrong and quotes nothing but names: what is refused may hold secrets.
 */
export function parseByConnector<Member extends TObject>(
  variable: keyof Config,
  text: string,
  member: Member,
): ReadonlyMap<string, Static<Member>> {
  const byConnector = Type.Record(Type.String({ pattern: CONNECTOR_ID }), member, { additionalProperties: false })
  const json = parsed(variable, text)
  if (Value.Check(byConnector, json)) return new Map(Object.entries(json))
  throw mustBe(variable, placeOf(Value.Errors(byConnector, json).First()?.path ?? '', Object.keys(member.properties)))
}

function parsed(variable: keyof Config, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The cause is left out: it quotes what was refused.
    throw mustBe(variable, 'this is no JSON')
  }
}

/** Where a JSON pointer leads, as far as it can be told without telling a value. */
function placeOf(path: string, members: readonly string[]): string {
  const [, connector = '', member = ''] = path.split('/')
  if (!ID.test(connector)) return 'this has another form'
  return wrongAt(connector, members.includes(member) ? member : undefined)
}

/** Says which connector, and which member of what is given for it, is wrong. */
export function wrongAt(connector: string, member?: string): string {
  return member === undefined ? `what it gives ${connector} is not` : `the ${member} it gives ${connector} is not`
}
