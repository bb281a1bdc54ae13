import { useEffect, useState } from 'react'
import { Button, IconButton } from './button.tsx'
import { toast } from './toast.tsx'

function useCopied(text: string, onCopied?: () => void): { copied: boolean; copy: () => void } {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 2_000)
    return () => clearTimeout(timer)
  }, [copied])
  function copy() {
    navigator.clipboard.writeText(text).then(
      () => {
        setCopied(true)
        onCopied?.()
      },
      () => toast('The browser did not allow copying. Select the text and copy it.', 'bad'),
    )
  }
  return { copied, copy }
}

/** A button that copies a text. */
export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const { copied, copy } = useCopied(text)
  return <IconButton icon={copied ? 'check' : 'copy'} label={copied ? 'Copied' : label} onClick={copy} />
}

/** A text to copy as a whole: a command, a link, an address. */
export function CopyText({ text, label }: { text: string; label: string }) {
  return (
    <div className="copy-text">
      <code>{text}</code>
      <CopyButton text={text} label={label} />
    </div>
  )
}

/** A secret, which the page shows only once. */
export function Secret({ text, label, onCopied }: { text: string; label: string; onCopied?: () => void }) {
  const { copied, copy } = useCopied(text, onCopied)
  return (
    <div className="secret">
      <code>{text}</code>
      <Button kind="primary" icon={copied ? 'check' : 'copy'} onClick={copy}>
        {copied ? 'Copied' : label}
      </Button>
    </div>
  )
}

/** Text for a shell or a file, with where it belongs. */
export function Snippet({ title, text }: { title?: string; text: string }) {
  return (
    <figure className="snippet">
      {title !== undefined && <figcaption>{title}</figcaption>}
      <div className="copy-text">
        <code>{text}</code>
        <CopyButton text={text} />
      </div>
    </figure>
  )
}
