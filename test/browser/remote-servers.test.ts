import t from 'tap'
import { full, id, session } from './answers.ts'
import { connectorAnswers } from './connector-answers.ts'
import { Answer, type Answers, barriers, chromiumPath, openDashboard, picture } from './page-fixture.ts'
import { remote, wiki } from './remote-answers.ts'

const skip = chromiumPath === undefined && 'no Chromium: install the package chromium'
const DESKTOP = { theme: 'light', width: 1280 } as const

const base: Answers = { ...full, ...connectorAnswers }
const member: Answers = {
  'GET /api/session': {
    ...session,
    user: { id: id('usr', 3), email: 'member@example.com' },
    role: 'member',
    may: Object.fromEntries(Object.keys(session.may).map(name => [name, false])),
  },
}

t.test('registered servers', { skip }, async t => {
  const { origin, open } = await openDashboard(t)

  await t.test('an admin registers one, and each error is at its field', async t => {
    const refusals: [code: string, message: string, status: number][] = [
      ['slug_taken', 'Another server has this slug. Choose another one.', 409],
      ['invalid_upstream_url', 'This URL cannot be registered. It leads to a private address.', 400],
      ['oauth_registration_failed', 'The authorization server did not register the gateway.', 422],
      ['invalid_request', 'A scope must be printable ASCII.', 400],
    ]
    const left = [...refusals]
    const { page, writes, faults } = await open(
      {
        ...base,
        'POST /api/connectors/org': () => {
          const [refusal] = left.splice(0, 1)
          if (refusal === undefined) return new Answer(201, remote('the-wiki', 'The Wiki', { status: 'disconnected' }))
          const [error, message, status] = refusal
          return new Answer(status, { error, message })
        },
        'GET /api/connectors/org/the-wiki': remote('the-wiki', 'The Wiki', { status: 'disconnected' }),
      },
      DESKTOP,
    )
    await page.goto(`${origin}/connectors`)
    await page.getByRole('link', { name: 'Register a server' }).click()
    const submit = page.getByRole('button', { name: 'Register the server' })
    await submit.click()
    await page.getByText('Enter the URL of the server’s MCP endpoint.').waitFor()
    t.same(writes, [], 'nothing is sent before the form is complete')
    await page.getByLabel('Name', { exact: true }).fill('The Wiki')
    t.equal(await page.getByLabel('Slug').inputValue(), 'the-wiki')
    await page.getByLabel('URL').fill('https://wiki.example.com/mcp')

    const places = ['Slug', 'URL', 'Client ID']
    for (const [n, [code, message]] of refusals.entries()) {
      await submit.click()
      await page.getByText(message).waitFor()
      const field = page.locator('.field', { hasText: message })
      const place = places[n]
      if (place === undefined) t.equal(await page.getByRole('alert').textContent(), message, code)
      else t.ok(await field.getByLabel(place).isVisible(), `${code} is at ${place}`)
      if (place === 'Client ID') {
        t.same(await barriers(page), [])
        await picture(page, 'remote-register-error')
        await page.getByLabel('Client ID').fill('known-client')
      }
    }
    await page.getByText('Harmless changes go live automatically').click()
    await submit.click()
    await page.getByRole('heading', { name: 'The Wiki' }).waitFor()
    t.equal(page.url(), `${origin}/connectors/org/the-wiki`)
    t.match(writes.at(-1)?.body, {
      slug: 'the-wiki',
      name: 'The Wiki',
      upstream_url: 'https://wiki.example.com/mcp',
      auth: { mode: 'oauth', per: 'member', client_id: 'known-client' },
      refresh: 'harmless',
    })
    t.same(faults, [])
  })

  await t.test('with a token or a header, the secret is asked for and belongs to whom the admin says', async t => {
    const created = new Answer(201, wiki)
    const { page, writes } = await open({ ...base, 'POST /api/connectors/org': created }, DESKTOP)
    await page.goto(`${origin}/connectors/org`)
    await page.getByLabel('Name', { exact: true }).fill('Wiki')
    await page.getByLabel('URL').fill('https://wiki.example.com/mcp')
    await page.getByRole('combobox', { name: 'Authentication' }).click()
    await picture(page, 'remote-register-auth')
    t.same(await barriers(page), [], 'with the select open')
    await page.getByRole('option', { name: /Another header/ }).click()
    await page.getByRole('button', { name: 'Register the server' }).click()
    await page.getByText('Enter the name of the header.').waitFor()
    await page.getByLabel('Name of the header').fill('x-wiki-key')
    await page.getByLabel('Value of the header').fill('a secret value')
    await page.getByText('One for the organization').click()
    await page.getByRole('button', { name: 'Register the server' }).click()
    await page.getByRole('heading', { name: 'Wiki' }).waitFor()
    t.match(writes.at(-1)?.body, {
      auth: { mode: 'header', name: 'x-wiki-key', value: 'a secret value', per: 'organization' },
    })
  })

  await t.test('a sign-in takes further parameters, one per line', async t => {
    const created = new Answer(201, wiki)
    const { page, writes, faults } = await open({ ...base, 'POST /api/connectors/org': created }, DESKTOP)
    await page.goto(`${origin}/connectors/org`)
    await page.getByLabel('Name', { exact: true }).fill('Wiki')
    await page.getByLabel('URL').fill('https://wiki.example.com/mcp')
    await page.getByLabel('Sign-in parameters').fill('prompt select_account')
    await page.getByRole('button', { name: 'Register the server' }).click()
    await page.getByText('Write one per line, such as prompt: select_account.').waitFor()
    t.same(await barriers(page), [])
    t.same(writes, [])
    await page.getByLabel('Sign-in parameters').fill('prompt: select_account\n\naudience:https://wiki.example.com')
    await page.getByRole('button', { name: 'Register the server' }).click()
    await page.getByRole('heading', { name: 'Wiki' }).waitFor()
    const authorization_params = { prompt: 'select_account', audience: 'https://wiki.example.com' }
    t.match(writes, [{ body: { auth: { mode: 'oauth', per: 'member', authorization_params } } }])
    t.same(faults, [])
  })

  await t.test('without a person, a server gets a client’s secret or key, a signature, or nothing', async t => {
    const created = new Answer(201, wiki)
    const { page, writes, faults } = await open({ ...base, 'POST /api/connectors/org': created }, DESKTOP)
    const authOf = async (option: RegExp, fill: () => Promise<void>) => {
      await page.goto(`${origin}/connectors/org`)
      await page.getByLabel('Name', { exact: true }).fill('Wiki')
      await page.getByLabel('URL').fill('https://wiki.example.com/mcp')
      await page.getByRole('combobox', { name: 'Authentication' }).click()
      await page.getByRole('option', { name: option }).click()
      await fill()
      await page.getByRole('button', { name: 'Register the server' }).click()
      await page.getByRole('heading', { name: 'Wiki' }).waitFor()
      return (writes.at(-1)?.body as { auth: object } | undefined)?.auth
    }
    const client = await authOf(/^Client credentials/, async () => {
      t.equal(await page.getByText('Whose credential').count(), 0, 'it belongs to no member')
      await page.getByLabel('Client ID').fill('gateway')
      await page.getByRole('button', { name: 'Register the server' }).click()
      await page.getByText('Enter the secret, or the private key below.').waitFor()
      await page.getByLabel('Or the client’s private key').fill('{"kty":"EC"}')
      await page.getByLabel('Scopes').fill('read  write')
      await page.getByLabel('Other headers').fill('x-tenant acme')
      await page.getByRole('button', { name: 'Register the server' }).click()
      await page.getByText('Write one per line, such as x-tenant: acme.').waitFor()
      await picture(page, 'remote-register-client')
      t.same(await barriers(page), [])
      await page.getByLabel('Other headers').fill('x-tenant: acme\n\nx-region:eu: west ')
    })
    t.same(client, {
      mode: 'client_credentials',
      client_id: 'gateway',
      private_key: '{"kty":"EC"}',
      scopes: ['read', 'write'],
      headers: [
        { name: 'x-tenant', value: 'acme' },
        { name: 'x-region', value: 'eu: west' },
      ],
    })
    const signed = await authOf(/^Signed by the gateway/, () =>
      page.getByText('The server receives the user').waitFor(),
    )
    t.same(signed, { mode: 'assertion' })
    t.same(await authOf(/^None/, async () => {}), { mode: 'none' })
    t.same(faults, [])
  })

  await t.test('a member signs in there, and comes back to its page', async t => {
    let connected = false
    const { page, writes, faults } = await open(
      {
        ...base,
        ...member,
        'GET /api/connectors/org/wiki': () =>
          remote('wiki', 'Wiki', { status: connected ? 'connected' : 'disconnected' }),
        'POST /api/connectors/org/wiki/credential/authorization': {
          authorization_url: `${origin}/connect/callback?code=the-code&state=the-state`,
          state: 'the-state',
        },
        'POST /api/connectors/org/callback': () => {
          connected = true
          return remote('wiki', 'Wiki')
        },
        'DELETE /api/connectors/org/wiki/credential': () => {
          connected = false
          return new Answer(204, undefined)
        },
      },
      DESKTOP,
    )
    await page.goto(`${origin}/connectors/org/wiki`)
    for (const name of ['Check for changes', 'Read the tools', 'Actions for Wiki'])
      t.equal(await page.getByRole('button', { name }).count(), 0, `a member has no ${name}`)
    await page.getByRole('button', { name: 'Sign in at wiki.example.com' }).click()
    await page.getByText('You are connected.').waitFor()
    t.equal(page.url(), `${origin}/connectors/org/wiki`, 'the code left the address bar')
    t.match(writes, [
      { body: { redirect_uri: `${origin}/connect/callback` } },
      { request: 'POST /api/connectors/org/callback', body: { search: '?code=the-code&state=the-state' } },
    ])
    await page.getByRole('button', { name: 'Disconnect' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
    await page.getByText('You are not connected.').waitFor()
    t.same(faults, [])
  })

  await t.test('a sign-in that fails says why and leads back', async t => {
    const { page } = await open(
      {
        ...base,
        'GET /api/connectors/org/wiki': remote('wiki', 'Wiki', { status: 'disconnected' }),
        'POST /api/connectors/org/wiki/credential/authorization': {
          authorization_url: `${origin}/connect/callback?error=access_denied&state=the-state`,
          state: 'the-state',
        },
        'POST /api/connectors/org/callback': new Answer(422, {
          error: 'connect_failed',
          message: 'The sign-in was declined. Start again.',
        }),
      },
      DESKTOP,
    )
    await page.goto(`${origin}/connectors/org/wiki`)
    await page.getByRole('button', { name: 'Sign in at wiki.example.com' }).click()
    await page.getByText('The sign-in was declined. Start again.').waitFor()
    await page.getByRole('link', { name: 'Try again' }).click()
    await page.getByRole('button', { name: 'Sign in at wiki.example.com' }).waitFor()
    t.equal(page.url(), `${origin}/connectors/org/wiki`)
  })

  await t.test('a member adds their own key, and a rejected one stays with the form', async t => {
    let connected = false
    const entry = () =>
      remote('wiki', 'Wiki', { auth_mode: 'bearer', status: connected ? 'connected' : 'disconnected' })
    const { page, writes, faults } = await open(
      {
        ...base,
        ...member,
        'GET /api/connectors/org/wiki': entry,
        'POST /api/connectors/org/wiki/credential': ({ body }: { body: unknown }) => {
          connected = (body as { key: string }).key === 'right-key'
          if (connected) return entry()
          return new Answer(400, { error: 'invalid_request', message: 'Wiki rejected the provided credential.' })
        },
      },
      DESKTOP,
    )
    await page.goto(`${origin}/connectors/org/wiki`)
    await page.getByRole('button', { name: 'Add the key' }).click()
    await page.getByLabel('Token').fill('wrong-key')
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByRole('dialog').getByText('Wiki rejected the provided credential.').waitFor()
    await picture(page, 'remote-key-rejected')
    t.same(await barriers(page), [])
    await page.getByLabel('Token').fill('right-key')
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByText('You are connected.').waitFor()
    t.equal(writes.length, 2)
    t.same(faults, [])
  })

  await t.test('an organization’s credential is the admins’ to give: a member only learns it', async t => {
    const entry = remote('wiki', 'Wiki', {
      credential: { per: 'organization', connected: false },
      status: 'disconnected',
    })
    const { page } = await open({ ...base, ...member, 'GET /api/connectors/org/wiki': entry }, DESKTOP)
    await page.goto(`${origin}/connectors/org/wiki`)
    await page.getByText('An owner or admin can do this on this page.').waitFor()
    t.equal(await page.getByRole('button', { name: /Sign in at|Disconnect/ }).count(), 0)
  })

  await t.test('a server to which the gateway signs who calls asks nobody to connect', async t => {
    const signed = remote('wiki', 'Wiki', { auth_mode: 'assertion' })
    for (const who of [{}, member]) {
      const { page, context } = await open({ ...base, ...who, 'GET /api/connectors/org/wiki': signed }, DESKTOP)
      await page.goto(`${origin}/connectors/org/wiki`)
      await page.getByText('Nobody has to connect.').waitFor()
      t.equal(await page.getByRole('button', { name: /Sign in|key|Disconnect/ }).count(), 0)
      await context.close()
    }
  })

  await t.test('old links to its page and to connecting it lead to it', async t => {
    const { page } = await open(base, DESKTOP)
    for (const path of ['/connectors/wiki', '/connect/wiki']) {
      await page.goto(origin + path)
      await page.waitForURL(`${origin}/connectors/org/wiki`)
    }
    await page.goto(`${origin}/connectors?category=your+servers`)
    await page.getByRole('link', { name: /Wiki/ }).click()
    t.equal(page.url(), `${origin}/connectors/org/wiki`)
  })
})
