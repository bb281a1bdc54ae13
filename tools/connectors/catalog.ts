import type { ConnectorDefinition } from '../../services/definitions/define-connector.ts'
import { github } from './github/connector.ts'
import { jira } from './jira/connector.ts'
import { linear } from './linear/connector.ts'
import { resend } from './resend/connector.ts'
import { slack } from './slack/connector.ts'
import { stripe } from './stripe/connector.ts'
import { trello } from './trello/connector.ts'

/** All connectors of this build. The setting CONNECTORS selects the ones to offer. */
export const CONNECTORS: readonly ConnectorDefinition[] = [github, jira, linear, resend, slack, stripe, trello]
