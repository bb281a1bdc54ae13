import t from 'tap'
import { compileTemplate } from '../../../services/connectors/engine/request/template.ts'
import { anyText } from '../../fixtures/any-text.ts'
import fc from '../../fixtures/property.ts'

t.test('a time is sent on the clocks of its zone, a day as its start', async t => {
  const fill = (time?: string, zone?: string) =>
    compileTemplate({
      start: { $convert: 'zoned-time', value: { time: '{time}', timeZone: { $either: ['{zone}', 'UTC'] } } },
      day: { $convert: 'is-day', value: '{time}' },
    })({ args: { ...(time && { time }), ...(zone && { zone }) }, settings: {} })
  const at = (dateTime: string, timeZone: string, day = false) => ({ start: { dateTime, timeZone }, day })
  t.equal(fill(undefined, 'Europe/Berlin'), undefined, 'a zone without a time is left out')
  t.same(fill('2026-03-31T09:00:00+05:00'), at('2026-03-31T04:00:00', 'UTC'))
  t.same(fill('2026-03-28T08:00:00Z', 'Europe/Berlin'), at('2026-03-28T09:00:00', 'Europe/Berlin'))
  t.same(fill('2026-03-31T08:00:00Z', 'Europe/Berlin'), at('2026-03-31T10:00:00', 'Europe/Berlin'))
  t.same(fill('2026-03-31T23:30:00Z', 'Asia/Tokyo'), at('2026-04-01T08:30:00', 'Asia/Tokyo'))
  t.same(fill('2026-03-31', 'Asia/Tokyo'), at('2026-03-31T00:00:00', 'Asia/Tokyo', true))
  t.throws(() => fill('2026-03-31T08:00:00Z', 'Middle Earth'), { code: 'invalid_request', message: /IANA/ })
  const day = 86_400_000
  const times = fc.date({ min: new Date(0), max: new Date('2099-12-31'), noInvalidDate: true })
  fc.assert(
    fc.property(times, fc.constantFrom(...Intl.supportedValuesOf('timeZone')), (time, zone) => {
      const { start } = fill(time.toISOString(), zone) as ReturnType<typeof at>
      const offset = Date.parse(`${start.dateTime}Z`) - Math.floor(time.getTime() / 1000) * 1000
      if (Number.isNaN(offset) || Math.abs(offset) > day) throw new Error(`${start.dateTime} in ${zone}`)
    }),
  )
})

t.test('no value leaves its place in an OData expression', async t => {
  const fill = (args: Record<string, unknown>) =>
    compileTemplate({
      $convert: 'odata',
      value: { 'at ge ?': '{from}', 'isRead eq ?': '{read}', "f('?') or g('?')": '{name}', '"a:?" OR "b:?"': '{find}' },
    })({ args, settings: {} })
  t.equal(fill({}), undefined)
  t.equal(
    fill({ from: '2026-03-31T09:00:00+02:00', read: false }),
    'at ge 2026-03-31T09:00:00+02:00 and isRead eq false',
  )
  t.equal(fill({ name: "O'Neil $& ?" }), "f('O''Neil $& ?') or g('O''Neil $& ?')")
  t.equal(fill({ find: 'x" OR "\\' }), String.raw`"a:x\" OR \"\\" OR "b:x\" OR \"\\"`)
  t.throws(() => fill({ from: '1 or true' }), { code: 'invalid_request' })
  fc.assert(
    fc.property(anyText(), anyText(), (name, find) => {
      const [, text = ''] = /^f\('((?:[^']|'')*)'\) or g\('\1'\)$/.exec(String(fill({ name }))) ?? []
      if (text.replaceAll("''", "'") !== name) throw new Error(text)
      const [, clause = ''] = /^"a:((?:[^"\\]|\\.)*)" OR "b:\1"$/s.exec(String(fill({ find }))) ?? []
      if (clause.replace(/\\(.)/gs, '$1') !== find) throw new Error(clause)
    }),
  )
})
