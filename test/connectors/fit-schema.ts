/** The parts of a JSON Schema that the tests use. */
export interface Schema {
  type?: string | string[]
  enum?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: boolean | Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

/**
 * Converts the scalars of a value to the schema's types, because forms carry only text. Values that do not fit stay
 * unchanged.
 */
export function fitted(value: unknown, schema: Schema | undefined): unknown {
  if (schema === undefined) return value
  const branches = schema.anyOf ?? schema.oneOf
  if (branches !== undefined) {
    const tried = branches.map(branch => fitted(value, branch))
    return tried.find((attempt, i) => hasType(attempt, typesOf(branches[i]))) ?? value
  }
  if (Array.isArray(value)) return value.map(item => fitted(item, schema.items))
  if (typeof value === 'object' && value !== null && schema.type === 'array' && isNumbered(value))
    return fitted(Object.values(value), schema)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, fitted(held, memberOf(schema, name))]))
  return scalar(value, typesOf(schema))
}

/** Arrays in forms: `a[0]`, `a[1]`. */
function isNumbered(value: object): boolean {
  return Object.keys(value).every((name, index) => name === String(index))
}

function scalar(value: unknown, types: string[]): unknown {
  if (types.length === 0 || hasType(value, types)) return value
  if (types.includes('string')) return String(value)
  if (typeof value !== 'string') return value
  if ((types.includes('integer') || types.includes('number')) && /^-?\d+(\.\d+)?$/.test(value)) return Number(value)
  if (types.includes('boolean') && /^(true|false)$/.test(value)) return value === 'true'
  return value
}

function hasType(value: unknown, types: string[]): boolean {
  if (Array.isArray(value)) return types.includes('array')
  if (value === null) return types.includes('null')
  if (Number.isInteger(value)) return types.includes('integer') || types.includes('number')
  return types.includes(typeof value)
}

/** Returns the types that a schema allows; none if it names none. */
export function typesOf(schema: Schema | undefined): string[] {
  if (schema?.type !== undefined) return [schema.type].flat()
  return schema?.properties === undefined ? [] : ['object']
}

/** Returns the schema of a member; undefined if the object does not know it. */
export function memberOf(schema: Schema, name: string): Schema | undefined {
  const own = schema.properties?.[name]
  if (own !== undefined) return own
  if (typeof schema.additionalProperties === 'object') return schema.additionalProperties
  // An object of any members.
  if (schema.additionalProperties === true && schema.properties === undefined) return {}
  for (const part of [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]) {
    const found = memberOf(part, name)
    if (found !== undefined) return found
  }
  return undefined
}

/** Whether a schema allows a value at a path of members, visiting arrays. A schema without details allows it. */
export function canHave(schema: Schema | undefined, path: readonly string[]): boolean {
  if (schema === undefined || Object.keys(schema).length === 0 || schema.additionalProperties === true) return true
  if (schema.items !== undefined) return canHave(schema.items, path)
  const [name, ...rest] = path
  if (name === undefined) return true
  const branches = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
  if (branches.some(branch => canHave(branch, path) && !isScalar(branch))) return true
  if (schema.properties === undefined) return branches.length === 0 && !isScalar(schema)
  const member = memberOf(schema, name)
  return member !== undefined && canHave(member, rest)
}

function isScalar(schema: Schema): boolean {
  const types = typesOf(schema)
  return schema.enum !== undefined || (types.length > 0 && !types.includes('object') && !types.includes('array'))
}
