import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { request } from '../../lib/api.ts'
import { formatMoney } from '../../lib/format.ts'

interface Quote {
  metered: boolean
  hold_micros: number | null
}

const QUOTES_URL = '/api/tool-quotes'
/** How long the arguments stay the same before their price is asked for. */
const PAUSE_MS = 400

/** What the next call will cost. */
export function Price({ tool, args }: { tool: string; args: object }) {
  const text = JSON.stringify(args)
  const [asked, ask] = useState(text)
  const { data } = useQuery({
    queryKey: [QUOTES_URL, tool, asked],
    queryFn: ({ signal }) =>
      request<Quote>('POST', QUOTES_URL, { body: { name: tool, arguments: JSON.parse(asked) }, signal }),
    placeholderData: keepPreviousData,
  })
  const free = data?.metered === false
  useEffect(() => {
    if (free) return
    const timer = setTimeout(() => ask(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [free, text])
  return data === undefined ? null : <span aria-live="polite">{priceOf(data)}</span>
}

function priceOf({ metered, hold_micros }: Quote): string {
  if (!metered) return 'It is free.'
  if (hold_micros === null) return 'It costs money: complete the arguments to see how much.'
  if (hold_micros === 0) return 'It is free with these arguments.'
  return `It holds ${formatMoney(hold_micros)} until its cost is known.`
}
