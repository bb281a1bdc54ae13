import { Type } from '@sinclair/typebox'
import { httpTool, pick } from '../../../../services/definitions/http-tool.ts'
import { reads } from '../../annotations.ts'
import { id, listPages, listQuery, page } from '../arguments.ts'

const active = Type.Boolean({ description: 'Only what is sold now (true), or no longer (false).' })

const listProducts = httpTool({
  operation: 'list_products',
  title: 'List products',
  description: 'List what is sold, the newest first: id, name, and the id of the usual price.',
  annotations: reads,
  input: { active: Type.Optional(active), ...page },
  request: { method: 'GET', path: '/v1/products', query: { active: '{active}', ...listQuery } },
  pagination: listPages,
  result: pick('/data', ['id', 'name', 'description', 'active', 'default_price', 'created']),
})

const listPrices = httpTool({
  operation: 'list_prices',
  title: 'List prices',
  description: 'List prices, the newest first; those of one product where it is given.',
  annotations: reads,
  input: {
    product: Type.Optional(id('prod_…; it comes from list_products.')),
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
