import t from 'tap'
import { similarNames } from '../../lib/similar-names.ts'
import fc from '../fixtures/property.ts'

t.test('a typing mistake, another spelling and a part of a name find the name', async t => {
  const names = ['max_results', 'query', 'repository', 'channel_id', 'state', 'user', 'github__list_issues']
  const cases: [string, string][] = [
    ['maxResults', 'max_results'],
    ['MAX-RESULTS', 'max_results'],
    ['max_result', 'max_results'],
    ['qurey', 'query'],
    ['qeury', 'query'],
    ['queri', 'query'],
    ['reposotiry', 'repository'],
    ['repo', 'repository'],
    ['repository_name', 'repository'],
    ['channel', 'channel_id'],
    ['id', 'channel_id'],
    ['github_list_issues', 'github__list_issues'],
    ['list_issues', 'github__list_issues'],
    ['listIssue', 'github__list_issues'],
  ]
  for (const [word, name] of cases) t.same(similarNames(word, names), [name], word)
})

t.test('a word that is unlike all names finds none', async t => {
  const names = ['query', 'to', 'state', 'limit', 'x'.repeat(100)]
  for (const word of ['', '_', '☃', 'at', 'status', 'offset', 'cursor', 'x'.repeat(99), 'qryeu'])
    t.same(similarNames(word, names), [], word)
})

t.test('the nearest names come first, and equal ones in the order of the list', async t => {
  const names = ['search_mail_old', 'serch_mail', 'search_mail', 'search_mails', 'list_mail', 'Search_Mail']
  t.same(similarNames('search_mail', names, 4), ['search_mail', 'Search_Mail', 'serch_mail', 'search_mails'])
  t.same(similarNames('search_mail', names), ['search_mail'])
})

t.test('a search ends within milliseconds, whatever the list is', async t => {
  const numbered = Array.from({ length: 5_000 }, (_, i) => `${'ab'.repeat(30)}${i}`)
  const lists = [numbered, Array(5_000).fill('b_'.repeat(32)), Array(5_000).fill('x'.repeat(1_000))]
  for (const names of lists)
    for (const word of ['ba'.repeat(31), 'ab'.repeat(31), 'a_'.repeat(32), 'a'.repeat(100_000)]) {
      const begun = process.cpuUsage()
      similarNames(word, names)
      const { user, system } = process.cpuUsage(begun)
      t.ok((user + system) / 1000 < 150, `${(user + system) / 1000} ms`)
    }
})

t.test('every name with one letter changed, added, left out or swapped is found', async () => {
  const name = fc.stringMatching(/^[a-z]{6,20}$/)
  const place = fc.nat()
  fc.assert(
    fc.property(name, place, fc.constantFrom('0', ''), fc.boolean(), (name, place, letter, swap) => {
      const at = place % (name.length - 1)
      const rest = swap ? (name[at + 1] ?? '') + name[at] + name.slice(at + 2) : letter + name.slice(at + 1)
      return similarNames(name.slice(0, at) + rest, ['unlike', name, '0123456789'])[0] === name
    }),
  )
})
