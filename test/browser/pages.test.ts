import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { barriers, chromiumPath, docsPicture, openDashboard, picture, type View } from './page-fixture.ts'
import { full, SHOWN, type Shown } from './page-states.ts'

/** The views of each page. Those of one width are shown in one tab. */
const VIEWS: { width: number; themes: Record<string, View['theme']> }[] = [
  { width: 1280, themes: { light: 'light', dark: 'dark' } },
  { width: 375, themes: { phone: 'light' } },
]

const only = process.env.PAGES?.split(',')

/** The pictures of docs/dashboard.md, which `DOCS_PICTURES=1` makes again: the page and view, and the file. */
const DOCUMENTED: Record<string, string> = {
  'start-light': 'start',
  'connectors-light': 'connectors',
  'connect-light': 'connect',
  'remote-changes-light': 'server',
  'tool-light': 'tool',
  'calls-light': 'calls',
  'keys-light': 'keys',
  'billing-light': 'billing',
  'connector-dark': 'connector-dark',
  'overview-phone': 'overview-phone',
}
const documenting = process.env.DOCS_PICTURES === '1'

t.test(
  'every page is shown in each view, without a violation of the policy or another host',
  { skip: chromiumPath === undefined && 'no Chromium' },
  async t => {
    const dashboard = await openDashboard(t)
    for (const [name, shown] of Object.entries(SHOWN)) {
      if (only !== undefined && !only.includes(name)) continue
      for (const { width, themes } of VIEWS) {
        const wanted = Object.entries(themes).filter(([view]) => !documenting || `${name}-${view}` in DOCUMENTED)
        if (wanted.length > 0) await show(t, dashboard, { name, shown, width, themes: wanted })
      }
    }
  },
)

type Dashboard = Awaited<ReturnType<typeof openDashboard>>

interface ShownIn {
  name: string
  shown: Shown
  width: number
  themes: [string, View['theme']][]
}

async function show(t: Test, dashboard: Dashboard, { name, shown, width, themes }: ShownIn): Promise<void> {
  const { path, text, open, answers, signedIn } = shown
  const tab = await dashboard.open({ ...full, ...answers }, { width, theme: 'light' }, { signedIn: signedIn ?? true })
  await tab.page.goto(dashboard.origin + path)
  const finished = text === undefined ? tab.page.getByRole('heading', { level: 1 }) : tab.page.getByText(text)
  await finished.first().waitFor({ timeout: 10_000 })
  if (open !== undefined) await tab.page.getByRole('button', { name: open, exact: true }).click()
  await tab.page.evaluate(() => document.fonts.ready.then(() => undefined))
  for (const [view, theme] of themes) {
    const shownAs = `${name}-${view}`
    await tab.page.emulateMedia({ colorScheme: theme })
    await endTransitions(tab.page)
    const file = documenting ? DOCUMENTED[shownAs] : undefined
    if (file !== undefined) await docsPicture(tab.page, file)
    else await picture(tab.page, shownAs)
    t.same(await barriers(tab.page), [], `${shownAs} has no serious barrier`)
    const overflow = await tab.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    t.ok(overflow <= 0, `${shownAs} is not wider than the window`)
  }
  t.same(tab.faults, [], `${name} has no fault at a width of ${width}`)
  await tab.context.close()
}

/** Ends what changes the colors; what has no end, like a progress bar, goes on. */
function endTransitions(page: Page): Promise<void> {
  return page.evaluate(() => {
    for (const animation of document.getAnimations())
      if (animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY) animation.finish()
  })
}
