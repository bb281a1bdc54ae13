import type { ConnectorDefinition } from '../../services/definitions/connector-types.ts'
import { asana } from './asana/connector.ts'
import { confluence } from './confluence/connector.ts'
import { flickr } from './flickr/connector.ts'
import { github } from './github/connector.ts'
import { gitlab } from './gitlab/connector.ts'
import { gmail } from './gmail/connector.ts'
import { googleCalendar } from './google-calendar/connector.ts'
import { googleDrive } from './google-drive/connector.ts'
import { hubspot } from './hubspot/connector.ts'
import { jira } from './jira/connector.ts'
import { linear } from './linear/connector.ts'
import { microsoftTeams } from './microsoft-teams/connector.ts'
import { notion } from './notion/connector.ts'
import { outlook } from './outlook/connector.ts'
import { resend } from './resend/connector.ts'
import { salesforce } from './salesforce/connector.ts'
import { slack } from './slack/connector.ts'
import { stripe } from './stripe/connector.ts'
import { trello } from './trello/connector.ts'

/** All connectors of this build. The setting CONNECTORS selects the ones to offer. */
export const CONNECTORS: readonly ConnectorDefinition[] = [
  asana,
  confluence,
  flickr,
  github,
  gitlab,
  gmail,
  googleCalendar,
  googleDrive,
  hubspot,
  jira,
  linear,
  microsoftTeams,
  notion,
  outlook,
  resend,
  salesforce,
  slack,
  stripe,
  trello,
]
