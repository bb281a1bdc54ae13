import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { freePort } from '../fixtures/free-port.ts'
import { eventually } from '../fixtures/until.ts'

/** The names in the certificate, and in the places of gateway.example and dashboard.example. */
const HOST = 'localhost'
export const DASHBOARD_HOST = 'dashboard.localhost'

/** What a proxy of deploy/ is started with. */
interface Ports {
  http: number
  https: number
  /** The gateways, and their dashboards. */
  upstreams: readonly number[]
  dashboards: readonly number[]
}

/** A running proxy. */
interface ReverseProxy {
  /** The certificate, which clients must trust. */
  readonly ca: string
  /** All that it has logged. */
  logs(): string
  /** Its access log. */
  accessLog(): string
}

/** Why a proxy cannot be started on this machine; false if it can. */
export function without(program: 'nginx' | 'caddy'): string | false {
  return spawnSync(program, [program === 'nginx' ? '-v' : 'version']).error === undefined ? false : `needs ${program}`
}

/** Free ports of a proxy; its gateways have to know them, because they are in their public origin. */
export async function proxyPorts(): Promise<Pick<Ports, 'http' | 'https'>> {
  return { http: await freePort(), https: await freePort() }
}

/** Starts nginx with deploy/nginx.conf, in which only names, ports, paths and the second gateway are changed. */
export async function startNginx(t: Test, { http, https, upstreams, dashboards }: Ports): Promise<ReverseProxy> {
  const home = homeOf(t)
  const ca = certificate(home)
  const site = edit(readFileSync('deploy/nginx.conf', 'utf8'), [
    [/gateway\.example\/(\w+\.pem)/g, '$1'],
    [/gateway\.example/g, HOST],
    [/dashboard\.example/g, DASHBOARD_HOST],
    [/\/etc\/ssl\//g, `${home}/`],
    [/\/var\/log\/nginx\//g, `${home}/`],
    [/^.*listen \[::\].*\n/gm, ''],
    [/listen 80/g, `listen 127.0.0.1:${http}`],
    [/listen 443/g, `listen 127.0.0.1:${https}`],
    ...upstreamEdits('server ', 3000, upstreams),
    ...upstreamEdits('server ', 3001, dashboards),
  ])
  writeFileSync(join(home, 'site.conf'), site)
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(name => `${name}_temp_path ${home}/${name};`)
  writeFileSync(
    join(home, 'nginx.conf'),
    `daemon off; ${process.getuid?.() === 0 ? 'user root;' : ''} pid ${home}/nginx.pid;
     error_log ${home}/errors.log info; worker_processes 2; events {}
     http { ${paths.join(' ')} access_log ${home}/access.log; include ${home}/site.conf; }`,
  )
  const child = spawn('nginx', ['-p', home, '-e', join(home, 'errors.log'), '-c', join(home, 'nginx.conf')])
  await started(t, child, https)
  return { ca, ...logsIn(home), accessLog: () => readFileSync(join(home, 'connector-gateway.log'), 'utf8') }
}

/** Starts Caddy with deploy/Caddyfile, in which only names, ports, the certificate and the second gateway are changed. */
export async function startCaddy(t: Test, { http, https, upstreams, dashboards }: Ports): Promise<ReverseProxy> {
  const home = homeOf(t)
  const ca = certificate(home)
  const site = edit(readFileSync('deploy/Caddyfile', 'utf8'), [
    [/^\{\n/m, `{\n\thttp_port ${http}\n\thttps_port ${https}\n\tdefault_bind 127.0.0.1\n\tadmin off\n`],
    [/# (tls )\S*(\/\w+\.pem) \S*(\/\w+\.pem)/, `$1${home}$2 ${home}$3`],
    [/gateway\.example/g, HOST],
    [/dashboard\.example/g, DASHBOARD_HOST],
    ...upstreamEdits('to ', 3000, upstreams),
    ...upstreamEdits('to ', 3001, dashboards),
  ])
  writeFileSync(join(home, 'Caddyfile'), site)
  const child = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', join(home, 'Caddyfile')], {
    env: { PATH: process.env.PATH ?? '', HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home },
  })
  let output = ''
  child.stderr.on('data', chunk => {
    output += chunk
  })
  await started(t, child, https)
  const lines = () => output.split('\n').filter(line => line.includes('"http.log.access'))
  return { ca, logs: () => output, accessLog: () => lines().join('\n') }
}

/** Applies the edits. Throws if one of them finds nothing: the sample and this file belong together. */
function edit(sample: string, edits: readonly (readonly [RegExp, string])[]): string {
  return edits.reduce((text, [pattern, replacement]) => {
    const edited = text.replace(pattern, replacement)
    if (edited === text) throw new Error(`${pattern} is not in the sample`)
    return edited
  }, sample)
}

/** The edits for one or two processes on a port of the samples; the second one, ten ports higher, is a comment there. */
function upstreamEdits(word: string, port: number, [first, second]: readonly number[]): [RegExp, string][] {
  return [
    [new RegExp(`127\\.0\\.0\\.1:${port}\\b`, 'g'), `127.0.0.1:${first}`],
    ...(second === undefined
      ? []
      : [[new RegExp(`# (${word})127\\.0\\.0\\.1:${port + 10}\\b`), `$1127.0.0.1:${second}`] as [RegExp, string]]),
  ]
}

function homeOf(t: Test): string {
  const home = mkdtempSync(join(tmpdir(), 'cgw-proxy-'))
  t.teardown(() => rmSync(home, { recursive: true, force: true }))
  return home
}

/** Makes a certificate for HOST. */
function certificate(home: string): string {
  const [key, chain] = [join(home, 'privkey.pem'), join(home, 'fullchain.pem')]
  const subject = [
    '-subj',
    `/CN=${HOST}`,
    '-addext',
    `subjectAltName=DNS:${HOST},DNS:${DASHBOARD_HOST},DNS:other.example`,
  ]
  const form = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  execFileSync('openssl', ['req', ...form, ...subject, '-keyout', key, '-out', chain], { stdio: 'pipe' })
  return readFileSync(chain, 'utf8')
}

async function started(t: Test, child: ChildProcess, port: number): Promise<void> {
  let errors = ''
  child.stderr?.on('data', chunk => {
    errors += chunk
  })
  const exited = once(child, 'exit')
  // Without it, a test that crashes would leave the proxy running.
  const stop = () => child.kill('SIGTERM')
  process.once('exit', stop)
  t.teardown(async () => {
    process.off('exit', stop)
    stop()
    await exited
  })
  await Promise.race([
    eventually(() => connected(port)),
    exited.then(([code]) => {
      throw new Error(`The proxy ended with ${code}: ${errors}`)
    }),
  ])
}

async function connected(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
  } finally {
    socket.destroy()
  }
}

function logsIn(home: string) {
  const names = () => readdirSync(home).filter(name => name.endsWith('.log'))
  return {
    logs: () =>
      names()
        .map(name => readFileSync(join(home, name), 'utf8'))
        .join('\n'),
  }
}
