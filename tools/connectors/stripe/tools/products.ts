import { clearable, flag, integer, list, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { overwrites } from '../../annotations.ts'
import {
  amount,
  currency,
  listPages,
  listQuery,
  metadata,
  newMetadata,
  price,
  product,
  searchPages,
  searchQuery,
  searchText,
} from '../arguments.ts'

const active = flag('true: only active products. false: only inactive ones.')
const name = text('The name that customers see.', 5000)
const description = text('The text that customers see.', 40_000)
const unitLabel = text('What is counted on invoices: seat.', 12)
const nickname = text('A short name that customers do not see.', 5000)
const recurring = {
  interval: optional(
    oneOf(['day', 'week', 'month', 'year'], 'How often a subscription pays it. Omit it for one payment.'),
  ),
  interval_count: optional(integer('The number of intervals between payments. Default: 1.', 1, 365)),
}
const productFields = 'id name description active default_price created|epoch-seconds-to-time'
const priceFields = 'id product nickname active currency unit_amount type recurring { interval interval_count }'

const listProducts = tool('list_products: GET /v1/products', {
  title: 'List products',
  description: 'List products, newest first: ID, name, and the ID of the default price.',
  query: { active: optional(active), ...listQuery },
  pagination: listPages,
  keep: productFields,
})

const searchProducts = tool('search_products: GET /v1/products/search', {
  title: 'Search products',
  description: 'Search products by name, description, metadata, and whether they are active.',
  query: { query: searchText('name~"workshop" AND active:"true".'), ...searchQuery },
  pagination: searchPages,
  keep: productFields,
})

const getProduct = tool('get_product: GET /v1/products/{product}', {
  title: 'Get product',
  description: 'Read one product. Its prices: list_prices.',
  path: { product },
  keep: `${productFields} images url unit_label statement_descriptor tax_code metadata updated|epoch-seconds-to-time`,
})

const createProduct = tool('create_product: POST /v1/products', {
  title: 'Create product',
  description:
    'Create a product, with a default price if unit_amount and currency are given. More prices: create_price. Returns its ID.',
  form: {
    name,
    description: optional(description),
    active: optional(flag('Whether it can be bought. Default: true.')),
    default_price_data: {
      unit_amount: optional(amount('The default price.', 0)),
      currency: optional(currency),
      recurring,
    },
    unit_label: optional(unitLabel),
    url: optional(text('A public page about it.', 2048)),
    images: optional(list(text('', 2048, { pattern: '^https?://' }), 'URLs of images.', 8)),
    metadata: optional(metadata),
  },
  keep: productFields,
})

const updateProduct = tool('update_product: POST /v1/products/{product}', {
  title: 'Update product',
  description: 'Update a product, or archive it with active false. Omitted fields stay unchanged.',
  annotations: overwrites,
  path: { product },
  form: {
    name: optional(name),
    description: clearable(description),
    active: optional(flag('false: it can no longer be bought. Running subscriptions stay.')),
    default_price: optional(price),
    unit_label: clearable(unitLabel),
    url: clearable(text('A public page about it.', 2048)),
    images: clearable(list(text('', 2048, { pattern: '^https?://' }), 'All URLs of images.', 8)),
    metadata: optional(newMetadata),
  },
  needsOneOf: ['name', 'description', 'active', 'default_price', 'unit_label', 'url', 'images', 'metadata'],
  keep: productFields,
})

const listPrices = tool('list_prices: GET /v1/prices', {
  title: 'List prices',
  description: 'List prices, newest first. Filter by product.',
  query: {
    product: optional(product),
    active: optional(active),
    type: optional(oneOf(['one_time', 'recurring'])),
    ...listQuery,
  },
  pagination: listPages,
  keep: priceFields,
})

const getPrice = tool('get_price: GET /v1/prices/{price}', {
  title: 'Get price',
  description: 'Read one price: amount, currency, interval and product.',
  path: { price },
  keep: `${priceFields} billing_scheme lookup_key tax_behavior metadata created|epoch-seconds-to-time`,
})

const createPrice = tool('create_price: POST /v1/prices', {
  title: 'Create price',
  description:
    'Add a price to a product, for one payment or for subscriptions. Amount, currency and interval are final.',
  form: {
    product,
    unit_amount: amount('The price of one unit; 0 is free.', 0),
    currency,
    recurring,
    nickname: optional(nickname),
    tax_behavior: optional(oneOf(['inclusive', 'exclusive', 'unspecified'], 'Whether the amount includes taxes.')),
    metadata: optional(metadata),
  },
  keep: priceFields,
})

const updatePrice = tool('update_price: POST /v1/prices/{price}', {
  title: 'Update price',
  description: 'Rename a price, or archive it with active false. For another amount, use create_price.',
  annotations: overwrites,
  path: { price },
  form: {
    active: optional(flag('false: new purchases cannot use it. Running subscriptions stay.')),
    nickname: clearable(nickname),
    metadata: optional(newMetadata),
  },
  needsOneOf: ['active', 'nickname', 'metadata'],
  keep: priceFields,
})

/** What is sold with Stripe, and for how much. */
export const productTools = [
  listProducts,
  searchProducts,
  getProduct,
  createProduct,
  updateProduct,
  listPrices,
  getPrice,
  createPrice,
  updatePrice,
]
