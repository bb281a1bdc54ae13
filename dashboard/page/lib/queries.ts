import { QueryClient, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { ApiError, request } from './api.ts'

/** Creates the cache of answers. It repeats a failed GET once if the gateway did not answer or had a fault. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: (failures, error) =>
          failures < 1 && error instanceof ApiError && (error.status === 0 || error.status >= 500),
        retryDelay: 700,
      },
    },
  })
}

/** The answer of a GET, which is the query's key. A live one is read every 4 seconds while the tab is visible. */
export function useGet<T>(url: string, { enabled = true, live = false }: { enabled?: boolean; live?: boolean } = {}) {
  return useQuery({
    queryKey: [url],
    queryFn: ({ signal }) => request<T>('GET', url, { signal }),
    enabled,
    refetchInterval: live ? 4_000 : false,
  })
}

/** The rows of a list with pages, and how to load more. A live list reads its first page every 4 seconds. */
export function usePages<Row>(
  url: string,
  name: string,
  { limit = 50, live = false }: { limit?: number; live?: boolean } = {},
) {
  const query = useInfiniteQuery({
    queryKey: [url, 'pages', limit],
    queryFn: ({ pageParam, signal }) => {
      const search = new URLSearchParams({ limit: String(limit), ...(pageParam !== null && { cursor: pageParam }) })
      const separator = url.includes('?') ? '&' : '?'
      return request<Record<string, unknown>>('GET', `${url}${separator}${search}`, { signal })
    },
    initialPageParam: null as string | null,
    getNextPageParam: page => page.next_cursor as string | null,
    refetchInterval: ({ state }) => (live && state.data?.pages.length === 1 ? 4_000 : false),
  })
  const rows = query.data?.pages.flatMap(page => page[name] as Row[])
  return { query, rows }
}

interface Action<Input, Output> {
  run(input: Input, key: string): Promise<Output>
  /** The beginnings of the URLs whose answers the action changes. */
  changes: string[]
  onDone?: (output: Output, input: Input) => void
}

/** A change that the user makes. It has one Idempotency-Key until the gateway has answered. */
export function useAction<Input = void, Output = unknown>({ run, changes, onDone }: Action<Input, Output>) {
  const client = useQueryClient()
  const last = useRef<{ input: string; key: string } | undefined>(undefined)
  return useMutation<Output, Error, Input>({
    mutationFn: async input => {
      const text = JSON.stringify(input) ?? ''
      if (last.current?.input !== text) last.current = { input: text, key: crypto.randomUUID() }
      try {
        const output = await run(input, last.current.key)
        last.current = undefined
        return output
      } catch (error) {
        const answered = error instanceof ApiError && error.status >= 400 && error.status < 500
        if (answered) last.current = undefined
        throw error
      }
    },
    onSuccess: async (output, input) => {
      onDone?.(output, input)
      await client.invalidateQueries({
        predicate: ({ queryKey: [url] }) => changes.some(path => String(url).startsWith(path)),
      })
    },
  })
}

/**
 * Takes the query of the address bar, which has the answer of another server to a sign-in, and sends it on, once. `send` must
 * be the same function at each render.
 */
export function useSearchOnce(send: (search: string) => void): void {
  const sent = useRef(false)
  useEffect(() => {
    if (sent.current) return
    sent.current = true
    const { search, pathname } = location
    history.replaceState(null, '', pathname)
    send(search)
  }, [send])
}
