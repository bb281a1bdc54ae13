import { Type } from '@sinclair/typebox'
import { httpTool, pick } from '../../../../services/definitions/http-tool.ts'
import { reads } from '../../annotations.ts'
import { id, listPages, listQuery, page } from '../arguments.ts'

const active = Type.Boolean({ description: 'true: only active products. false: only inactive ones.' })

const listProducts = httpTool({
  operation: 'list_products',
  title: 'List products',
  description: 'List products, newest first: ID, name, and the ID of the default price.',
  annotations: reads,
  input: { active: Type.Optional(active), ...page },
  request: { method: 'GET', path: '/v1/products', query: { active: '{active}', ...listQuery } },
  pagination: listPages,
  result: pick('/data', ['id', 'name', 'description', 'active', 'default_price', 'created']),
})

const listPrices = httpTool({
  operation: 'list_prices',
  title: 'List prices',
  description: 'List prices, newest first. Filter by product.',
  annotations: reads,
  input: {
    product: Type.Optional(id('prod_…, from list_products.')),
    active: Type.Optional(active),
    ...page,
  },
  request: { method: 'GET', path: '/v1/prices', query: { product: '{product}', active: '{active}', ...listQuery } },
  pagination: listPages,
  result: pick('/data', [
    'id',
    'product',
    'nickname',
    'active',
    'currency',
    'unit_amount',
    'type',
    'recurring.interval',
    'recurring.interval_count',
  ]),
})

/** What is sold with Stripe, and for how much. */
export const productTools = [listProducts, listPrices]
