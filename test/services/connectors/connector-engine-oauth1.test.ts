import assert from 'node:assert/strict'
import t from 'tap'
import { signatureBase, signOauth1 } from '../../../lib/http/oauth1.ts'
import { anyText } from '../../fixtures/any-text.ts'
import fc from '../../fixtures/property.ts'

const consumer = { key: 'dpf43f3p2l4k3l03', secret: 'kd94hf93k423kf44' }

function signatureOf(header: string): string {
  return decodeURIComponent(/oauth_signature="([^"]*)"/.exec(header)?.[1] ?? '')
}

t.test('the three requests of RFC 5849, section 1.2, get the printed signatures', async t => {
  const initiate = signOauth1({
    method: 'POST',
    url: 'https://photos.example.net/initiate',
    consumer,
    extra: { oauth_callback: 'http://printer.example.com/ready' },
    nonce: 'wIjqoS',
    timestamp: 137131200,
  })
  t.equal(signatureOf(initiate), '74KNZJeDHnMBp0EMJ9ZHt/XKycU=')
  t.match(initiate, 'oauth_callback="http%3A%2F%2Fprinter.example.com%2Fready"')

  const token = signOauth1({
    method: 'POST',
    url: 'https://photos.example.net/token',
    consumer,
    token: { key: 'hh5s93j4hdidpola', secret: 'hdhd0244k9j7ao03' },
    extra: { oauth_verifier: 'hfdp7dh39dks9884' },
    nonce: 'walatlh',
    timestamp: 137131201,
  })
  t.equal(signatureOf(token), 'gKgrFCywp7rO0OXSjdot/IHF7IU=')

  const photos = signOauth1({
    method: 'GET',
    url: 'http://photos.example.net/photos?file=vacation.jpg&size=original',
    consumer,
    token: { key: 'nnch734d00sl2jdk', secret: 'pfkkdhi9sl3r4s00' },
    nonce: 'chapoH',
    timestamp: 137131202,
  })
  t.equal(signatureOf(photos), 'MdpQcU8iPSUjWoN/UDMsK2sui9I=')
})

t.test('the signature base string of RFC 5849, section 3.4.1.1, is exact', async t => {
  const base = signatureBase(
    { method: 'post', url: 'HTTP://EXAMPLE.com:80/request?b5=%3D%253D&a3=a&c%40=&a2=r%20b', form: 'c2&a3=2+q' },
    [
      ['oauth_consumer_key', '9djdj82h48djs9d2'],
      ['oauth_token', 'kkk9d7dh3k39sjv7'],
      ['oauth_signature_method', 'HMAC-SHA1'],
      ['oauth_timestamp', '137131201'],
      ['oauth_nonce', '7d8f3e4a'],
    ],
  )
  t.equal(
    base,
    'POST&http%3A%2F%2Fexample.com%2Frequest&a2%3Dr%2520b%26a3%3D2%2520q%26a3%3Da%26b5%3D%253D%25253D%26c%2540%3D%26c2%3D' +
      '%26oauth_consumer_key%3D9djdj82h48djs9d2%26oauth_nonce%3D7d8f3e4a%26oauth_signature_method%3DHMAC-SHA1' +
      '%26oauth_timestamp%3D137131201%26oauth_token%3Dkkk9d7dh3k39sjv7',
  )
})

t.test('its signature is that of the verified erratum 2550, not the printed one', async t => {
  const header = signOauth1({
    method: 'POST',
    url: 'http://example.com/request?b5=%3D%253D&a3=a&c%40=&a2=r%20b',
    form: 'c2&a3=2+q',
    consumer: { key: '9djdj82h48djs9d2', secret: 'j49sk3j29djd' },
    token: { key: 'kkk9d7dh3k39sjv7', secret: 'dh893hdasih9' },
    nonce: '7d8f3e4a',
    timestamp: 137131201,
  })
  t.equal(signatureOf(header), 'r6/TJjbCOr97/+UU0NsvSne7s5g=')
})

t.test(
  'everything but the unreserved characters is encoded with upper-case digits (RFC 5849, section 3.6)',
  async t => {
    const characters = Array.from({ length: 0x7f - 0x20 }, (_, i) => String.fromCharCode(0x20 + i))
    const encoded = characters.map(one =>
      /[\w.~-]/.test(one) ? one : `%${Buffer.from(one).toString('hex').toUpperCase()}`,
    )
    const base = signatureBase({ method: 'POST', url: 'https://api.example/x', form: { a: characters.join('') } }, [])
    const [, , parameters = ''] = base.split('&')
    t.equal(parameters.replaceAll('%25', '%'), `a%3D${encoded.join('')}`)
  },
)

t.test('any text can be signed, and a form as record or as text gives the same signature', async () => {
  fc.assert(
    fc.property(anyText(), fc.string(), (value, secret) => {
      const request = {
        method: 'POST',
        url: 'https://api.example/x',
        consumer: { key: 'k', secret },
        nonce: 'n',
        timestamp: 1,
      }
      const record = signOauth1({ ...request, form: { a: value } })
      assert.equal(record, signOauth1({ ...request, form: new URLSearchParams({ a: value }).toString() }))
    }),
  )
})
