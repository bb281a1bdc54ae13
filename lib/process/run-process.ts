import type { Settings } from '../configuration/settings.ts'
import { configuredSecrets } from '../logging/configured-secrets.ts'
import { createScrubber, type Scrubber } from '../logging/scrub.ts'
import { terminalText } from '../sanitize-text.ts'
import { explainFailure } from './start-failure.ts'

/**
 * Runs what a process is for, with its settings and the one scrubber that is made of them. What fails is explained on
 * stderr without secrets and escape codes: before there are settings, by the forms of secrets alone. Answers whether all went well.
 */
export async function runProcess(
  readSettings: () => Settings,
  run: (settings: Settings, scrubber: Scrubber) => Promise<void>,
): Promise<boolean> {
  let scrubber = createScrubber()
  try {
    const settings = readSettings()
    scrubber = createScrubber(configuredSecrets(settings))
    await run(settings, scrubber)
    return true
  } catch (error) {
    process.stderr.write(`${terminalText(scrubber.text(explainFailure(error)), { lines: true })}\n`)
    return false
  }
}
