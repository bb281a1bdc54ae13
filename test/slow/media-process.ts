import { openDatabase } from '../../lib/database/open-database.ts'
import type { MediaProvider } from '../../schemas/tools/media.ts'
import { silent } from '../fixtures/database.ts'
import { wireMedia } from '../media/wire-media.ts'

/** The first message to the process. */
export interface Start {
  databaseUrl: string
  urls: Partial<Record<MediaProvider, string>>
  directory: string
}

/** An order to the process: generate an image, and follow it to its end. */
export interface Order {
  orgId: string
  userId: string
  /** The URLs of its input files. */
  images: readonly string[]
}

process.once('message', async ({ databaseUrl, ...wiring }: Start) => {
  const { db } = await openDatabase({ postgres: { url: databaseUrl, maxConnections: 3 }, dataDir: '', log: silent })
  const media = wireMedia({ db, ...wiring })
  process.on('message', async (order: Order) => {
    const started = await media.start(order)
    for (;;) {
      await media.runJobs()
      const found = await media.generations.wait(started, 5, new AbortController().signal)
      if (found?.state === 'done' || found?.state === 'failed') break
    }
    process.send?.('done')
  })
  process.send?.('ready')
})
