import type { FastifyInstance } from 'fastify'
import type { Services } from '../services/create-services.ts'
import { agentRoutes, agentSignInRoutes } from './agents.ts'
import apiKeyRoutes from './api-keys.ts'
import { checkoutRoutes, planRoutes } from './checkout.ts'
import connectorRoutes from './connectors.ts'
import { autoTopupRoutes, customerRoutes } from './customers.ts'
import invitationRoutes from './invitations.ts'
import meRoutes from './me.ts'
import memberRoutes from './members.ts'
import policyRoutes from './policies.ts'
import { remoteConnectorRoutes, remoteCredentialRoutes } from './remote-connectors.ts'
import usageRoutes from './usage.ts'

/** The routes with which members manage themselves and their organization, for the gateway and the dashboard. */
export default async function accountRoutes(scope: FastifyInstance, services: Services): Promise<void> {
  scope.register(apiKeyRoutes, services)
  scope.register(usageRoutes, services)
  scope.register(connectorRoutes, services)
  scope.register(remoteConnectorRoutes, services)
  scope.register(remoteCredentialRoutes, services)
  scope.register(planRoutes, services)
  scope.register(checkoutRoutes, services)
  scope.register(customerRoutes, services)
  scope.register(meRoutes, services)
  scope.register(memberRoutes, services)
  scope.register(autoTopupRoutes, services)
  scope.register(invitationRoutes, { ...services, dashboardUrl: services.settings.dashboardUrl })
  scope.register(agentRoutes, services)
  scope.register(agentSignInRoutes, services)
  scope.register(policyRoutes, services)
}
