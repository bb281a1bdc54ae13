import type {
  InsertQueryNode,
  JoinNode,
  KyselyPlugin,
  OperationNode,
  PluginTransformQueryArgs,
  PluginTransformResultArgs,
  QueryResult,
  RootOperationNode,
  UnknownRow,
} from 'kysely'
import { TENANT_TABLES } from '../lib/database/tables.ts'
import {
  columnName,
  conjuncts,
  hasKind,
  type NodeOf,
  nodesWithin,
  operatorOf,
  type Source,
  sourceOf,
} from './query-nodes.ts'

const tenantTables: ReadonlySet<string> = new Set(TENANT_TABLES)

/** A statement with tables, and rows chosen by conditions. */
type Statement = NodeOf<'SelectQueryNode'> | NodeOf<'UpdateQueryNode'> | NodeOf<'DeleteQueryNode'>

/**
 * Rejects a query on a tenant table without its organization. Each tenant table, also in joins, subqueries and CTEs,
 * needs `org_id = <a value>` among the conditions that always hold, or an equality with a column that has one; an
 * insert needs a value for it. Raw SQL is checked by its words.
 */
export class TenantGuard implements KyselyPlugin {
  transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    checkNode(node, new Set())
    return node
  }

  async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return result
  }
}

/** Walks the tree. `known` are the columns (`alias.column`) that an enclosing statement has tied to a value. */
function checkNode(node: OperationNode, known: ReadonlySet<string>): void {
  let within = known
  if (hasKind(node, 'SelectQueryNode') || hasKind(node, 'UpdateQueryNode') || hasKind(node, 'DeleteQueryNode')) {
    within = checkStatement(node, known)
  } else if (hasKind(node, 'InsertQueryNode')) {
    checkInsert(node)
  } else if (hasKind(node, 'MergeQueryNode')) {
    const { table } = sourceOf(node.into)
    if (table !== undefined && tenantTables.has(table)) refuse(table, 'a merge cannot be checked')
  } else if (hasKind(node, 'RawNode')) {
    checkRaw(node)
  }
  if (hasKind(node, 'ColumnUpdateNode') && columnName(node.column) === 'org_id') refuse('a row', 'it would move')
  for (const child of nodesWithin(node)) checkNode(child, within)
}

function checkStatement(node: Statement, known: ReadonlySet<string>): ReadonlySet<string> {
  const sources = sourcesOf(node)
  const own = new Set(sources.map(({ alias }) => alias))
  // A name of this statement hides the same name of an enclosing one.
  const bound = new Set([...known].filter(key => !own.has(key.slice(0, key.lastIndexOf('.')))))
  const tenants = sources.filter(({ table }) => table !== undefined && tenantTables.has(table))
  const only = sources.length === 1 ? sources[0] : tenants.length === 1 ? tenants[0] : undefined

  const conditions = [
    ...(node.where === undefined ? [] : conjuncts(node.where.where)).map(condition => ({ condition, binds: own })),
    ...(node.joins ?? []).flatMap(join => joinConditions(join, own)),
  ]
  for (let grown = true; grown; ) {
    const before = bound.size
    for (const { condition, binds } of conditions) bind(condition, binds, only, bound)
    grown = bound.size > before
  }

  for (const { alias, table } of tenants) if (!bound.has(`${alias}.org_id`)) refuse(String(table), 'org_id is not tied')
  return bound
}

function sourcesOf(node: Statement): Source[] {
  const nodes = (node.joins ?? []).map(({ table }) => table)
  if (node.from !== undefined) nodes.push(...node.from.froms)
  if (hasKind(node, 'UpdateQueryNode') && node.table !== undefined) nodes.push(node.table)
  if (hasKind(node, 'DeleteQueryNode') && node.using !== undefined) nodes.push(...node.using.tables)
  return nodes.flatMap(each => (hasKind(each, 'ListNode') ? each.items : [each])).map(sourceOf)
}

/** The conditions of a join, and which tables they restrict: that of an outer join leaves the others whole. */
function joinConditions({ joinType, table, on }: JoinNode, own: ReadonlySet<string>) {
  if (on === undefined) return []
  const list = conjuncts(on.on)
  if (/^(Lateral)?InnerJoin$/.test(joinType)) return list.map(condition => ({ condition, binds: own }))
  if (/^(Lateral)?LeftJoin$/.test(joinType)) {
    const binds: ReadonlySet<string> = new Set([sourceOf(table).alias])
    return list.map(condition => ({ condition, binds }))
  }
  return []
}

/** Adds the columns that an equality ties to a value, or to a column that is tied. */
function bind(
  condition: OperationNode,
  binds: ReadonlySet<string>,
  only: Source | undefined,
  bound: Set<string>,
): void {
  if (!hasKind(condition, 'BinaryOperationNode') || operatorOf(condition) !== '=') return
  const sides = [condition.leftOperand, condition.rightOperand]
  const keys = sides.map(side => keyOf(side, only))
  for (const [index, key] of keys.entries()) {
    const other = sides[1 - index]
    const otherKey = keys[1 - index]
    if (key === undefined || other === undefined || !binds.has(key.slice(0, key.lastIndexOf('.')))) continue
    if (isOrgValue(other) || (otherKey !== undefined && bound.has(otherKey))) bound.add(key)
  }
}

function keyOf(node: OperationNode, only: Source | undefined): string | undefined {
  const column = columnName(node)
  if (column === undefined) return undefined
  const table = hasKind(node, 'ReferenceNode') ? node.table?.table.identifier.name : undefined
  return `${table ?? only?.alias ?? '?'}.${column}`
}

function isOrgValue(node: OperationNode): boolean {
  return hasKind(node, 'ValueNode') && isOrgId(node.value)
}

function isOrgId(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

function checkInsert(node: InsertQueryNode): void {
  const table = node.into?.table.identifier.name
  if (table === undefined || !tenantTables.has(table)) return
  const index = (node.columns ?? []).findIndex(({ column }) => column.name === 'org_id')
  if (index === -1) refuse(table, 'the insert has no org_id')
  if (node.values === undefined || !hasKind(node.values, 'ValuesNode')) {
    refuse(table, 'an insert from a query cannot be checked')
  }
  for (const row of node.values.values) {
    const value = row.values[index]
    const named = hasKind(row, 'PrimitiveValueListNode') ? isOrgId(value) : isOrgValue(value as OperationNode)
    if (!named) refuse(table, 'a row of the insert has no org_id')
  }
  const { updates, columns } = node.onConflict ?? {}
  if (updates !== undefined && !columns?.some(({ column }) => column.name === 'org_id')) {
    refuse(table, 'the conflicting row may belong to another organization')
  }
}

function checkRaw(node: NodeOf<'RawNode'>): void {
  const text = textOf(node)
  for (const [, table = ''] of text.matchAll(/(?:\b(?:from|join|into|update|using)\s+|,\s*)(?:only\s+)?"?(\w+)/gi)) {
    if (tenantTables.has(table) && !/\borg_id\b/.test(text)) refuse(table, 'the raw SQL does not contain org_id')
  }
}

function textOf({ sqlFragments, parameters }: NodeOf<'RawNode'>): string {
  return sqlFragments.map((fragment, index) => fragment + nameOf(parameters[index])).join('')
}

function nameOf(parameter: OperationNode | undefined): string {
  if (parameter === undefined) return ''
  if (hasKind(parameter, 'RawNode')) return textOf(parameter)
  return hasKind(parameter, 'TableNode') ? parameter.table.identifier.name : (columnName(parameter) ?? '?')
}

function refuse(table: string, why: string): never {
  throw new Error(
    `A query on ${table} does not name its organization (${why}). Use forOrg, or acrossOrgs for a query across organizations.`,
  )
}
