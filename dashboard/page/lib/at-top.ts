import { useEffect, useState } from 'react'

/** Whether the page is scrolled to its top, so that new rows push nothing away that the user reads. */
export function useAtTop(): boolean {
  const [atTop, setAtTop] = useState(true)
  useEffect(() => {
    const read = () => setAtTop(window.scrollY < 120)
    read()
    window.addEventListener('scroll', read, { passive: true })
    return () => window.removeEventListener('scroll', read)
  }, [])
  return atTop
}
