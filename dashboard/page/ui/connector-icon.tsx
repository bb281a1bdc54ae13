import { Icon } from './icon.tsx'

/** The icon of a connector on a light tile: brands draw theirs for light grounds. */
export function ConnectorIcon({ url, size = 40 }: { url: string | null; size?: number }) {
  return (
    <span className="connector-icon" style={{ width: size, height: size }}>
      {url === null ? (
        <Icon name="plug" size={size / 2} />
      ) : (
        <img src={url} alt="" width={size * 0.55} height={size * 0.55} loading="lazy" />
      )}
    </span>
  )
}
