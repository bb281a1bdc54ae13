import { sql } from 'kysely'
import type { Test } from 'tap'
import { acrossOrgs } from '../../lib/database/tenant.ts'
import type { MediaModel } from '../../schemas/tools/media.ts'
import { CATALOG } from '../../tools/catalog.ts'
import { generate } from '../../tools/media/generate.ts'
import { build } from '../fixtures/build.ts'
import { newsHeard } from '../fixtures/database.ts'
import { callerOfApp } from '../fixtures/journey-fixture.ts'
import { expireHolds, moneyOf, reconciliationsOf } from '../fixtures/metered-fixture.ts'
import { mediaSettings } from './media-fixture.ts'
import { providerDouble } from './provider-double.ts'

interface MediaAppOptions {
  models?: MediaModel[]
  /** How long media__generate waits for its files. */
  answerAfterMs?: number
  /** The time that decides the prices of media__generate. */
  priceTime?: () => number
}

/** The whole app with all providers. Starting it runs every scheduled job once, so the tests of a file share it. */
export async function mediaApp(t: Test, { models, priceTime, ...waits }: MediaAppOptions = {}) {
  const provider = await providerDouble(t)
  const dataDir = t.testdir()
  const built = await build(t, {
    settings: { media: mediaSettings(provider.urls, models), dataDir },
    tools(services) {
      const media = { ...services.media, ...(priceTime !== undefined && { now: priceTime }) }
      const tools = CATALOG.tools(services)
      return tools.map(tool => (tool.entry.name === 'media__generate' ? generate(media, waits) : tool))
    },
  })
  const { services, clock } = built
  const { db } = services.database
  await services.jobs.runDue()

  return {
    ...built,
    provider,
    dataDir,
    /** A member of a new organization with 5 dollars. */
    async payer() {
      provider.reset()
      const org = await built.directory.org()
      const member = await org.member('owner')
      const { orgId } = member
      const { key, id: keyId } = await member.key()
      await newsHeard(services.database)
      const headers = { 'x-api-key': key }
      return {
        ...callerOfApp(built, headers),
        org,
        orgId,
        keyId,
        headers,
        userId: member.userId,
        /** The rows of usage, as their owner sums them. */
        async usage() {
          await services.usage.flush()
          const rows = acrossOrgs(db).selectFrom('usage').where('org_id', '=', orgId).orderBy('at').selectAll()
          return rows.execute()
        },
        money: () => moneyOf(db, orgId),
        reconciliations: () => reconciliationsOf(db, orgId),
        expireHolds: () => expireHolds(db, orgId),
        async generations() {
          return acrossOrgs(db)
            .selectFrom('generations')
            .where('org_id', '=', orgId)
            .orderBy('id')
            .selectAll()
            .execute()
        },
      }
    },
    async differences() {
      return (await services.auditLedger()).differences
    },
    /** Runs the job that asks for results, as if these seconds had passed. */
    async jobs(seconds = 10) {
      clock.advance(seconds * 1_000)
      await services.jobs.runDue()
    },
    /** Runs the jobs until a call has its result. */
    async during<T>(call: Promise<T>): Promise<T> {
      let ended = false
      const finished = call.finally(() => {
        ended = true
      })
      while (!ended) {
        clock.advance(2_000)
        await services.jobs.runDue()
        await new Promise(setImmediate)
      }
      return finished
    },
    /** Ends the leases of processes that are silent. */
    endLeases: () =>
      sql`update generations set lease_until = now() where lease_until is not null`.execute(acrossOrgs(db)),
  }
}
