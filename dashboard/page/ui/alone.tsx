import { type ReactNode, useEffect } from 'react'
import { Mark } from './icon.tsx'

/** A page outside the frame: sign-in and one-time links. */
export function Alone({ title, text, children }: { title: string; text?: ReactNode; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Connector gateway`
  }, [title])
  return (
    <main className="alone">
      <div className="alone-brand">
        <Mark size={36} />
        <span>Connector gateway</span>
      </div>
      <h1 className="alone-title">{title}</h1>
      {text !== undefined && <p className="alone-text">{text}</p>}
      <div className="stack alone-body">{children}</div>
    </main>
  )
}
