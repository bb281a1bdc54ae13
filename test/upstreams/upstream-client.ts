import type { Test } from 'tap'
import { createUpstreams, type UpstreamsOptions } from '../../services/remote-connectors/upstream/create-upstreams.ts'
import {
  type UpstreamCall,
  type UpstreamCredential,
  UpstreamError,
  type Upstreams,
} from '../../services/remote-connectors/upstream/upstream.ts'
import { silent } from '../fixtures/database.ts'
import { egressOf } from '../fixtures/egress-fixture.ts'
import { testClock } from '../fixtures/fixture.ts'
import { serverInfo } from '../fixtures/mcp-fixture.ts'
import { rejectionOf } from '../fixtures/rejection.ts'

/** The client of upstreams with a fixed clock and short calls, closed with the test. */
export function upstreamClient(t: Test, options: Partial<UpstreamsOptions> = {}) {
  const clock = testClock()
  const upstreams: Upstreams = createUpstreams({ egress: egressOf(t), clock, serverInfo, log: silent, ...options })
  t.teardown(() => upstreams.close())
  const target = (url: string, orgId = 'org_1') => ({ orgId, id: `rem_${url}`, url })

  return {
    upstreams,
    clock,
    target,
    call(url: string, call: Partial<UpstreamCall> = {}, { orgId, credential, signal, deadlineMs }: CallOptions = {}) {
      return upstreams.callTool(
        target(url, orgId),
        credential ?? { key: '', headers: {} },
        { name: 'look', arguments: {}, inputSchema: {}, trace: {}, clientCapabilities: {}, ...call },
        { signal: signal ?? new AbortController().signal, deadlineMs: deadlineMs ?? 10_000 },
      )
    },
    list(url: string, { orgId, credential, signal, deadlineMs }: CallOptions = {}) {
      return upstreams.listTools(target(url, orgId), credential ?? { key: '', headers: {} }, {
        signal: signal ?? new AbortController().signal,
        deadlineMs: deadlineMs ?? 10_000,
      })
    },
  }
}

interface CallOptions {
  orgId?: string
  credential?: UpstreamCredential
  signal?: AbortSignal
  deadlineMs?: number
}

/** The UpstreamError of a failed call. */
export const failureOf = (promise: Promise<unknown>) => rejectionOf(promise, UpstreamError)

/** A text result. */
export const says = (text: string) => ({ content: [{ type: 'text', text }] })
