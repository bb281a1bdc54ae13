import type { RequestListener } from 'node:http'
import { buffer } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { signOauth1 } from '../../lib/http/oauth1.ts'
import type { ConnectorDefinition } from '../../services/definitions/connector-types.ts'
import { flickr } from '../../tools/connectors/flickr/connector.ts'
import { accessTo, failureOf } from '../services/connectors/connector-engine-fixture.ts'
import { callsTo } from './calls.ts'

// The description of Flickr has each method as a path with a query, which cannot be compared with requests. Parameters and
// answers follow https://www.flickr.com/services/api/, uploads https://www.flickr.com/services/api/upload.api.html, both
// read on 2026-11-25. Not tried with an account.

type Fields = Record<string, unknown>
type Texts = Record<string, string>

const ME = '12345678@N00'
const FAILED = { stat: 'fail', code: 1, message: 'Photo not found' }

/** Photos, one album and comments on loopback, which keep what is written. */
class FlickrDouble {
  readonly photos = new Map<string, Texts>()
  readonly album: { id: string; title: string; description: string; photos: string[] } = {
    id: '900',
    title: '',
    description: '',
    photos: [],
  }
  readonly comments: Texts[] = []

  upload({ title = '', description = '', tags = '', is_public = '' }: Texts): string {
    const id = `${this.photos.size + 1}`
    this.photos.set(id, { title, description, tags, is_public })
    return id
  }

  answer({ method = '', ...args }: Texts): Fields {
    const { album } = this
    const photo = this.photos.get(args.photo_id ?? args.primary_photo_id ?? '')
    switch (method.replace('flickr.', '')) {
      case 'photos.getInfo':
        return photo === undefined ? FAILED : { photo: { id: args.photo_id, ...this.#read(photo) } }
      case 'photos.setMeta':
        return photo === undefined ? FAILED : this.#set(photo, args)
      case 'photos.addTags':
        return photo === undefined ? FAILED : this.#set(photo, { tags: `${photo.tags} ${args.tags}` })
      case 'photosets.create':
        Object.assign(album, {
          title: args.title,
          description: args.description ?? '',
          photos: [args.primary_photo_id],
        })
        return { photoset: { id: album.id, url: 'https://www.flickr.com/photos/ada/sets/900/' } }
      case 'photosets.addPhoto':
        album.photos.push(args.photo_id ?? '')
        return {}
      case 'photosets.getList':
        return this.#paged('photosets', 'photoset', [{ id: album.id, owner: ME, title: { _content: album.title } }])
      case 'photosets.getPhotos':
        return this.#paged(
          'photoset',
          'photo',
          album.photos.map(id => ({ id, title: this.photos.get(id)?.title })),
          args,
        )
      case 'photos.comments.getList':
        return { comments: { photo_id: args.photo_id, ...(this.comments.length > 0 && { comment: this.comments }) } }
      case 'photos.comments.addComment':
        this.comments.push({ id: `7-${this.comments.length}`, _content: args.comment_text ?? '', datecreate: '0' })
        return { comment: { id: this.comments.at(-1)?.id } }
      case 'photos.comments.editComment':
        Object.assign(this.comments.find(({ id }) => id === args.comment_id) ?? {}, { _content: args.comment_text })
        return {}
      default:
        return { stat: 'fail', code: 112, message: `Method "${method}" not found` }
    }
  }

  #read({ title, description, tags = '', is_public }: Texts): Fields {
    const tag = tags.split(' ').map((raw, index) => ({ id: `t-${index}`, raw, machine_tag: 0 }))
    return {
      title: { _content: title },
      description: { _content: description },
      tags: { tag },
      visibility: { ispublic: Number(is_public) },
      dates: { posted: '1764028800', taken: '2026-11-01 10:00:00' },
    }
  }

  #set(photo: Texts, { title, description, tags }: Texts): Fields {
    Object.assign(photo, title !== undefined && { title }, description !== undefined && { description })
    Object.assign(photo, tags !== undefined && { tags })
    return {}
  }

  #paged(object: string, name: string, items: Fields[], { page = '1', per_page = '500' }: Texts = {}): Fields {
    const [at, size] = [Number(page), Number(per_page)]
    return {
      [object]: { page: at, pages: Math.ceil(items.length / size), [name]: items.slice((at - 1) * size, at * size) },
    }
  }
}

/** Calls of Flickr's tools to a double that accepts only signed requests. */
async function flickrDouble(t: Test) {
  const double = new FlickrDouble()
  const access = accessTo(flickr)
  function located(origin: string): ConnectorDefinition {
    const url = `${origin}/services`
    return { ...flickr, baseUrl: url, hosts: { up: { url, credential: true, answers: 'xml' } } }
  }
  const answer: RequestListener = async (request, response) => {
    const { method = '', url = '', headers } = request
    const origin = `http://${headers.host}`
    const type = headers['content-type'] ?? ''
    const body = await buffer(request)
    const form =
      type === ''
        ? new FormData()
        : await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
    const texts = Object.fromEntries([...form].filter((part): part is [string, string] => typeof part[1] === 'string'))
    const { pathname, searchParams } = new URL(url, origin)
    const args = { ...Object.fromEntries(searchParams), ...texts }
    if (headers.authorization !== signatureOf(`${origin}${url}`, method, texts, headers.authorization ?? '')) {
      response.writeHead(401).end('oauth_problem=signature_invalid')
    } else if (pathname === '/services/upload') {
      const answer =
        form.get('photo') instanceof File
          ? `<rsp stat="ok"><photoid>${double.upload(texts)}</photoid></rsp>`
          : FAILED_UPLOAD
      response.writeHead(200, { 'content-type': 'text/xml; charset=utf-8' }).end(answer)
    } else {
      const known = args.format === 'json' && args.nojsoncallback === '1'
      const answer = known ? { stat: 'ok', ...double.answer(args) } : FAILED
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    }
  }
  function signatureOf(url: string, method: string, form: Texts, header: string): string {
    const value = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(header)?.[1] ?? ''
    const { client, credential } = access
    if (client === undefined || credential?.kind !== 'oauth1a') throw new TypeError('Flickr signs requests')
    return signOauth1({
      method,
      url,
      form,
      consumer: { key: client.id, secret: client.secret },
      token: { key: credential.token, secret: credential.tokenSecret },
      extra: { oauth_version: '1.0' },
      nonce: value('oauth_nonce'),
      timestamp: Number(value('oauth_timestamp')),
    })
  }
  return { double, ...(await callsTo(t, flickr, answer, located, access)) }
}

const FAILED_UPLOAD = '<rsp stat="fail"><err code="2" msg="No photo specified" /></rsp>'

t.test('an uploaded photo is read with its texts, and an update keeps what it does not name', async t => {
  const { data, call } = await flickrDouble(t)
  const { _content: photo_id } = await data('upload_photo', {
    content: 'a photo',
    title: 'Sun & sea',
    description: 'Two\nlines',
    tags: 'beach "new york"',
    is_public: 0,
  })
  t.match(await data('get_photo', { photo_id }), {
    title: { _content: 'Sun & sea' },
    description: { _content: 'Two\r\nlines' },
    visibility: { ispublic: 0 },
    dates: { posted: '2025-11-25T00:00:00.000Z', taken: '2026-11-01 10:00:00' },
  })
  await call('update_photo', { photo_id, title: 'Evening' })
  await call('add_tags', { photo_id, tags: 'sky' })
  const photo = await data('get_photo', { photo_id })
  t.match(photo, { title: { _content: 'Evening' }, description: { _content: 'Two\r\nlines' } })
  t.match((photo.tags as { tag: unknown[] }).tag.at(-1), { raw: 'sky' })
  await call('update_photo', { photo_id, description: '' })
  t.match(await data('get_photo', { photo_id }), { title: { _content: 'Evening' }, description: { _content: '' } })
})

t.test('an album lists the photos that were added, page by page', async t => {
  const { data, call } = await flickrDouble(t)
  const { _content: first } = await data('upload_photo', { content: 'a', title: 'One' })
  const { _content: second } = await data('upload_photo', { content: 'b', title: 'Two' })
  const { id: album_id } = await data('create_album', { title: 'Trip', photo_id: first })
  await call('add_photo_to_album', { album_id, photo_id: second })
  t.match(await data('list_albums', {}), { items: [{ id: album_id, owner: ME, title: { _content: 'Trip' } }] })
  const page = await data('list_album_photos', { album_id, owner: ME, limit: 1 })
  t.same(page.items, [{ id: first, title: 'One' }])
  const last = await data('list_album_photos', { album_id, owner: ME, limit: 1, cursor: page.next_cursor })
  t.same(last, { items: [{ id: second, title: 'Two' }] })
})

t.test('an edited comment is read with its new text, and a photo may have none', async t => {
  const { data, call } = await flickrDouble(t)
  t.same(await data('get_comments', { photo_id: '1' }), { photo_id: '1' })
  const { id: comment_id } = await data('add_comment', { photo_id: '1', text: 'Nice' })
  await call('edit_comment', { comment_id, text: 'Very nice' })
  t.match(await data('get_comments', { photo_id: '1' }), {
    comment: [{ id: comment_id, _content: 'Very nice', datecreate: '1970-01-01T00:00:00.000Z' }],
  })
})

t.test('an error under HTTP 200 is an error, and an update of an unknown photo writes nothing', async t => {
  const { double, call } = await flickrDouble(t)
  const calls: [string, Fields][] = [
    ['get_photo', { photo_id: '404' }],
    ['update_photo', { photo_id: '404', title: 'x' }],
    ['add_tags', { photo_id: '404', tags: 'x' }],
  ]
  for (const [operation, args] of calls)
    t.match(await failureOf(call(operation, args)), { code: 'upstream_rejected', message: /Photo not found/ })
  t.equal(double.photos.size, 0)
  t.match(await failureOf(call('update_photo', { photo_id: '1' })), { message: /Nothing would change/ })
  t.match(await failureOf(call('search_photos', {})), { message: /^An argument is missing\. Give/ })
})
