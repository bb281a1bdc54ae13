import robotsParser from 'robots-parser'
import type { RobotsAnswer, RobotsTask } from './tasks.ts'

const MAX_SITEMAPS = 20

/** The types describe an ES module, the package is CommonJS. */
const parseRobots = robotsParser as unknown as typeof robotsParser.default

/** Applies a robots.txt (RFC 9309) to a URL of its origin. */
export function applyRobots({ robotsUrl, text, url, agent }: RobotsTask): RobotsAnswer {
  const rules = parseRobots(robotsUrl, text)
  return { allowed: rules.isAllowed(url, agent) !== false, sitemaps: rules.getSitemaps().slice(0, MAX_SITEMAPS) }
}
