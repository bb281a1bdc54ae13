import { CopyButton } from './copy.tsx'

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
