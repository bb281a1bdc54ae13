import type { Kysely } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'
import { parseAllowList } from '../../lib/egress/allow-list.ts'
import { createEgress } from '../../lib/egress/create-egress.ts'
import { createJobs } from '../../lib/jobs/jobs.ts'
import type { MediaProvider } from '../../schemas/tools/media.ts'
import { createArtifacts } from '../../services/artifacts/artifacts.ts'
import { createDiskStore } from '../../services/artifacts/disk-store.ts'
import { createJobHolds } from '../../services/billing/job-holds.ts'
import { createLedger } from '../../services/billing/ledger.ts'
import { createMedia } from '../../services/media/create-media.ts'
import { silent } from '../fixtures/database.ts'
import { testIds } from '../fixtures/directory.ts'
import { testClock } from '../fixtures/fixture.ts'
import { commands } from '../fixtures/operator-commands.ts'
import { localLookup, testSettings } from '../fixtures/settings.ts'
import { mediaSettings } from './media-fixture.ts'

interface Wiring {
  db: Kysely<Database>
  urls: Partial<Record<MediaProvider, string>>
  /** Where the files are. */
  directory: string
}

/** The generations of one process without HTTP. Its jobs run only on request. */
export function wireMedia({ db, urls, directory }: Wiring) {
  const clock = testClock(Date.now())
  const ids = testIds({ now: Date.now })
  const log = silent
  const jobs = createJobs({ db, clock, ids, log, owner: `test ${process.pid}`, scrub: text => text })
  const ledger = createLedger({ db, thresholdMicros: 0, commands })
  const { generations } = createMedia({
    db,
    clock,
    ids,
    log,
    jobs,
    settings: mediaSettings(urls),
    egress: createEgress({ allow: parseAllowList([]), allowLoopback: true, lookup: localLookup }),
    jobHolds: createJobHolds({ db, ids, log, ledger, overageLimitFactor: 10, enqueue: jobs.enqueue }),
    artifacts: createArtifacts({
      db,
      clock,
      ids,
      store: createDiskStore(directory),
      signingKeys: testSettings().vaultKeys,
    }),
  })
  return {
    generations,
    start: ({ orgId, userId, images }: { orgId: string; userId: string; images: readonly string[] }) =>
      generations.start({
        orgId,
        userId,
        keyId: null,
        agentId: null,
        tool: 'media__generate',
        digest: undefined,
        model: 'flux-2-pro',
        estimateMicros: 240_000,
        request: {
          args: {},
          prompt: 'A boat',
          n: 1,
          images,
          price: { valid_from: '2026-11-01', per: 'unit', micros: 30_000 },
        },
      }),
    /** Runs the jobs, as if 10 seconds had passed. */
    async runJobs() {
      clock.advance(10_000)
      await jobs.runDue()
    },
  }
}
