import type {
  AndNode,
  BinaryOperationNode,
  ColumnNode,
  ColumnUpdateNode,
  DeleteQueryNode,
  InsertQueryNode,
  ListNode,
  MergeQueryNode,
  OperationNode,
  ParensNode,
  PrimitiveValueListNode,
  RawNode,
  ReferenceNode,
  SelectQueryNode,
  TableNode,
  UpdateQueryNode,
  ValueNode,
  ValuesNode,
} from 'kysely'
import { AliasNode, IdentifierNode, OperatorNode } from 'kysely'

interface Nodes {
  AndNode: AndNode
  BinaryOperationNode: BinaryOperationNode
  ColumnNode: ColumnNode
  ColumnUpdateNode: ColumnUpdateNode
  DeleteQueryNode: DeleteQueryNode
  InsertQueryNode: InsertQueryNode
  ListNode: ListNode
  MergeQueryNode: MergeQueryNode
  ParensNode: ParensNode
  PrimitiveValueListNode: PrimitiveValueListNode
  RawNode: RawNode
  ReferenceNode: ReferenceNode
  SelectQueryNode: SelectQueryNode
  TableNode: TableNode
  UpdateQueryNode: UpdateQueryNode
  ValueNode: ValueNode
  ValuesNode: ValuesNode
}

export type NodeOf<K extends keyof Nodes> = Nodes[K]

export function hasKind<K extends keyof Nodes>(node: OperationNode, kind: K): node is Nodes[K] {
  return node.kind === kind
}

/** A source or target of a statement: a table, or something else (undefined), by its name there. */
export interface Source {
  alias: string
  table: string | undefined
}

export function sourceOf(node: OperationNode): Source {
  if (AliasNode.is(node)) {
    const { table } = sourceOf(node.node)
    return { alias: IdentifierNode.is(node.alias) ? node.alias.name : '?', table }
  }
  const table = hasKind(node, 'TableNode') ? node.table.identifier.name : undefined
  return { alias: table ?? '?', table }
}

/** The conditions that all hold if this one holds. */
export function conjuncts(node: OperationNode): OperationNode[] {
  if (hasKind(node, 'ParensNode')) return conjuncts(node.node)
  if (hasKind(node, 'AndNode')) return [...conjuncts(node.left), ...conjuncts(node.right)]
  return [node]
}

export function operatorOf({ operator }: BinaryOperationNode): string | undefined {
  return OperatorNode.is(operator) ? operator.operator : undefined
}

/** Returns the column that a node names; undefined if it names none. */
export function columnName(node: OperationNode): string | undefined {
  if (hasKind(node, 'ColumnNode')) return node.column.name
  return hasKind(node, 'ReferenceNode') && hasKind(node.column, 'ColumnNode') ? node.column.column.name : undefined
}

/** Returns the direct child nodes. */
export function nodesWithin(node: OperationNode): OperationNode[] {
  // A value is data, whatever its properties.
  if (hasKind(node, 'ValueNode') || hasKind(node, 'PrimitiveValueListNode')) return []
  return Object.values(node).flat().filter(isNode)
}

function isNode(value: unknown): value is OperationNode {
  return typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string'
}
