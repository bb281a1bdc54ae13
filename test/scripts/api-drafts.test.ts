import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { load } from 'js-yaml'
import t from 'tap'
import { readDescription } from '../../scripts/draft/description.ts'
import { compileDraft, draftTool } from '../../scripts/draft/draft-tool.ts'
import { printDrafts } from '../../scripts/draft/print-draft.ts'
import type { HttpTool } from '../../services/definitions/http-tool-types.ts'
import { pageSize, pageStart } from '../../tools/connectors/shared-arguments.ts'

const ROOT = join(import.meta.dirname, '../..')
const paging = { pageSize, pageStart }

const SHELVES = `
openapi: 3.1.0
paths:
  /shelves/{shelfId}/books:
    parameters:
      - { name: shelfId, in: path, required: true, schema: { type: string }, description: The shelf. }
    get:
      operationId: books/list
      summary: Lists the books of a shelf. Deleted ones too.
      parameters:
        - { name: per_page, in: query, schema: { type: integer, maximum: 50, default: 10 } }
        - { name: page_token, in: query, schema: { type: string } }
        - { name: sort, in: query, schema: { type: string, enum: [title, year] } }
        - { name: tags, in: query, explode: false, schema: { type: array, items: { type: string } } }
        - { name: X-Tenant, in: header, required: true, schema: { type: string } }
        - { name: access_token, in: query, required: true, schema: { type: string } }
      responses:
        '200':
          content:
            application/json:
              schema:
                type: object
                properties:
                  books: { type: array, items: { $ref: '#/components/schemas/Book' } }
                  paging: { type: object, properties: { next_token: { type: string } } }
    post:
      operationId: addBook
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/NewBook' } } }
      responses: { '201': { content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } } }
  /books/{id}/cover:
    put:
      requestBody: { content: { image/png: { schema: { type: string, format: binary } } } }
      responses: { '204': { description: Stored. } }
    post:
      requestBody:
        content:
          multipart/form-data:
            schema: { type: object, properties: { image: { type: string, format: binary }, alt: { type: string } }, required: [image] }
      responses: { '200': { content: { image/png: {} } } }
components:
  schemas:
    Book:
      allOf:
        - { $ref: '#/components/schemas/NewBook' }
        - type: object
          properties:
            id: { type: integer }
            author: { type: object, properties: { id: { type: integer }, name: { type: string }, biography: { type: string } } }
            self_url: { type: string }
            sequel: { $ref: '#/components/schemas/Book' }
    NewBook:
      type: object
      required: [title]
      properties:
        title: { type: string, maxLength: 200, description: "The title, as printed." }
        account: { type: string }
        pages: { type: [integer, 'null'], minimum: 1 }
        print: { type: object, required: [run], properties: { run: { type: integer }, color: { type: boolean } } }
        id: { type: integer, readOnly: true }
`

const ROOMS = {
  swagger: '2.0',
  consumes: ['application/x-www-form-urlencoded'],
  paths: {
    '/rooms': {
      get: {
        parameters: [
          { name: 'offset', in: 'query', type: 'integer' },
          { name: 'limit', in: 'query', type: 'integer' },
          { name: 'ids', in: 'query', type: 'array', items: { type: 'string' } },
        ],
        responses: { 200: { schema: { type: 'array', items: { $ref: '#/definitions/Room' } } } },
      },
      post: {
        parameters: [
          { name: 'name', in: 'formData', type: 'string', required: true },
          { name: 'open', in: 'formData', type: 'boolean' },
        ],
        responses: { 200: { schema: { type: 'object', properties: { room: { $ref: '#/definitions/Room' } } } } },
      },
    },
    '/rooms/{room.id}': {
      patch: {
        parameters: [
          { name: 'room.id', in: 'path', type: 'integer', required: true },
          { name: 'body', in: 'body', schema: { type: 'object', additionalProperties: true } },
        ],
        responses: { default: { description: 'Changed.' } },
      },
    },
  },
  definitions: { Room: { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } } },
}

const shelves = readDescription(load(SHELVES))
const rooms = readDescription(ROOMS)
const compiled = (description: typeof shelves, operation: string) =>
  compileDraft(draftTool(description, operation), paging)
const plain = (tool: HttpTool) => JSON.parse(JSON.stringify(tool))

t.test('a list of OpenAPI 3 becomes a paged tool with the arguments and fields of the description', async t => {
  const tool = compiled(shelves, 'books/list')
  t.equal(tool.operation, 'books_list')
  t.same(tool.input.required, ['shelf_id', 'x_tenant'])
  t.same(tool.request, {
    method: 'GET',
    path: '/shelves/{shelf_id}/books',
    query: { per_page: '{limit}', page_token: '{cursor}', sort: '{sort}', tags: { $join: 'tags', separator: ',' } },
    headers: { 'x-tenant': '{x_tenant}' },
  })
  t.same(tool.pagination, { style: 'cursor', items: '/books', next: '/paging/next_token' })
  t.match(tool.input.properties.limit, { default: 10, maximum: 50 })
  t.same(tool.input.properties.sort?.enum, ['title', 'year'])
  t.same(tool.result, {
    kind: 'pick',
    pointer: '/books',
    fields: ['title', 'account', 'pages', 'id', 'print.color', 'author.id', 'author.name', 'sequel.title', 'sequel.id'],
  })
  t.notOk('access_token' in tool.input.properties, 'a credential is no argument')
})

t.test('the members of a body become arguments, required only if all of their objects are', async t => {
  const tool = compiled(shelves, 'addBook')
  t.same(tool.input.required, ['shelf_id', 'title'])
  t.same(tool.request.body, {
    json: { title: '{title}', account: '{account_body}', pages: '{pages}', print: { run: '{run}', color: '{color}' } },
  })
  t.match(tool.input.properties.title, { maxLength: 200, description: 'TODO: The title, as printed.' })
  t.match(tool.input.properties.pages, { type: 'integer', minimum: 1 })
})

t.test('files are sent as files, and answers that are files become artifacts', async t => {
  const put = compiled(shelves, 'PUT /books/{id}/cover')
  t.same(put.request.body, { raw: '{content}' })
  t.equal(put.result.kind, 'done')
  const post = compiled(shelves, 'POST /books/{id}/cover')
  t.same(post.request.body, {
    multipart: { image: { $file: { content: '{image}', name: '{image_name}' } }, alt: '{alt}' },
  })
  t.equal(post.result.kind, 'file')
})

t.test('Swagger 2 is read too: forms, joined lists, offsets and free bodies', async t => {
  const list = compiled(rooms, 'GET /rooms')
  t.same(list.pagination, { style: 'offset', items: '' })
  t.same(list.request.query, { offset: '{cursor}', limit: '{limit}', ids: { $join: 'ids', separator: ',' } })
  const create = compiled(rooms, 'POST /rooms')
  t.same(create.request.body, { form: { name: '{name}', open: '{open}' } })
  t.same(create.result, { kind: 'pick', pointer: '/room', fields: ['id', 'name'] })
  const update = compiled(rooms, 'PATCH /rooms/{room.id}')
  t.equal(update.request.path, '/rooms/{room_id}')
  t.same(update.request.body, { json: { '...': '{value}' } })
})

t.test('a description that refers to itself is read to an end', async t => {
  const Loop = { $ref: '#/definitions/Loop' }
  const Left = { allOf: [{ $ref: '#/definitions/Right' }], properties: { left: { $ref: '#/definitions/Left' } } }
  const Right = { allOf: [{ $ref: '#/definitions/Left' }], properties: { right: { type: 'array', items: Left } } }
  const body = (name: string) => ({
    post: {
      parameters: [{ name: 'body', in: 'body', schema: { $ref: `#/definitions/${name}` } }],
      responses: { 200: { schema: { $ref: `#/definitions/${name}` } } },
    },
  })
  const endless = readDescription({
    swagger: '2.0',
    paths: { '/loop': body('Loop'), '/left': body('Left'), '/missing': body('Missing') },
    definitions: { Loop, Left, Right },
  })
  for (const operation of endless.operations) t.equal(compiled(endless, operation).request.method, 'POST', operation)
})

t.test('the printed source defines the same tools', async t => {
  const drafts = [
    ...shelves.operations.map(operation => draftTool(shelves, operation)),
    ...rooms.operations.map(operation => draftTool(rooms, operation)),
  ]
  const file = join(t.testdir({}), 'draft.ts')
  writeFileSync(file, printDrafts(drafts, relative(ROOT, file)))
  const { tools } = await import(pathToFileURL(file).href)
  t.same(
    tools.map(plain),
    drafts.map(draft => plain(compileDraft(draft, paging))),
  )
})

t.test('the imports of a printed draft are relative to the file that will have it', async t => {
  const folder = t.testdir({ 'shelves.yaml': SHELVES })
  const script = join(ROOT, 'scripts/draft-connector.ts')
  for (const into of ['tools/connectors/new/tools.ts', 'tools/connectors/new/tools/topic.ts']) {
    const args = [script, join(folder, 'shelves.yaml'), 'books/list', '--into', into]
    const source = execFileSync(process.execPath, args, { encoding: 'utf8' })
    const imports = [...source.matchAll(/ from '(\..*)'/g)].map(([, path = '']) => join(dirname(into), path))
    t.ok(imports.includes('tools/connectors/shared-arguments.ts'), into)
    for (const path of imports) t.ok(existsSync(join(ROOT, path)), `${into} imports ${path}`)
  }
})

t.test('npm run connector:draft prints formatted source, lists operations, and explains what is wrong', async t => {
  const folder = t.testdir({ 'shelves.yaml': SHELVES, 'other.json': '{"info":{}}' })
  const script = join(ROOT, 'scripts/draft-connector.ts')
  const run = (...args: string[]) => execFileSync(process.execPath, [script, ...args], { encoding: 'utf8' })
  const printed = run(join(folder, 'shelves.yaml'), 'addBook')
  t.match(printed, "export const tools = [\n  tool('add_book: POST /shelves/{shelf_id}/books', {\n    title: 'TODO:',")
  t.match(run(join(folder, 'shelves.yaml')), 'PUT /books/{id}/cover\n')
  const failing = (...args: string[]) => spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' })
  t.match(failing(join(folder, 'other.json'), 'x'), { status: 1, stderr: 'Not an API description' })
  t.match(failing(join(folder, 'shelves.yaml'), 'x'), { status: 1, stderr: 'The description has no operation x' })
  t.match(failing(), { status: 1, stderr: 'Name a file with an API description' })
  t.match(readFileSync(join(ROOT, 'package.json'), 'utf8'), '"connector:draft": "node scripts/draft-connector.ts"')
})
