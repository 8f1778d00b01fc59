/**
 * Whose service an alias leads to, or whose name servers a zone is on, and what that one was seen to do with client subnets: a note beside
 * a verdict, which never rests on it. Each habit says who saw it; they change.
 */

type Provider = {
  readonly name: string
  /** Ends of host names, without a leading dot. */
  readonly suffixes: readonly string[]
  readonly habit: string
  readonly source: string
}

// biome-ignore format: table
const PROVIDERS: readonly Provider[] = [
  { name: 'Akamai',     suffixes: ['edgekey.net', 'edgesuite.net', 'akamaiedge.net', 'akamai.net', 'akadns.net'], habit: 'tailors for resolvers on its list only: from elsewhere scope 0 proves nothing', source: 'OONI issue 1523' },
  { name: 'CloudFront', suffixes: ['cloudfront.net'],  habit: 'answers by client subnet, scope /24 throughout', source: 'measured for this project' },
  { name: 'CacheFly',   suffixes: ['cachefly.net'],    habit: 'answered with scope /24 throughout in 2013', source: 'Streibelt et al., IMC 2013' },
  { name: 'Edgecast',   suffixes: ['edgecastcdn.net'], habit: 'answered with scopes wider than the source in 2013', source: 'Streibelt et al., IMC 2013' },
]

/**
 * `Akamai (edgekey.net) tailors for …`, or undefined.
 *
 * @param modifiers of a verdict; `cname-to:…` tells where it leads
 */
export function providerNote(modifiers: readonly string[]): string | undefined {
  const ends = modifiers.flatMap(word => /^cname-to:(.*)$/.exec(word)?.[1] ?? [])
  for (const { name, suffixes, habit, source } of PROVIDERS) {
    const found = suffixes.find(suffix => ends.some(end => isUnder(end.toLowerCase(), suffix)))
    if (found !== undefined) return `${name} (${found}) ${habit} (${source})`
  }
  return undefined
}

type Host = {
  readonly name: string
  /** What its name servers are called. */
  readonly servers: RegExp
  /** Absent where nobody who can be named has told it. */
  readonly habit?: string
  readonly source?: string
}

// biome-ignore format: table
const HOSTS: readonly Host[] = [
  { name: 'Route 53',   servers: /\.(awsdns-[0-9]+\.(?:com|net|org|co\.uk))$/,   habit: 'takes client subnets for geolocation, geoproximity, latency and IP-based routing only', source: 'Route 53 Developer Guide' },
  { name: 'NS1',        servers: /\.(nsone\.net)$/,                             habit: 'takes client subnets in filter chains', source: 'ns1.com, EDNS Client Subnet' },
  { name: 'Akamai',     servers: /\.(akam\.net)$/,                              habit: 'tailors for resolvers on its list only: from elsewhere scope 0 proves nothing', source: 'OONI issue 1523' },
  { name: 'Azure DNS',  servers: /\.(azure-dns\.(?:com|net|org|info))$/ },
  { name: 'Cloudflare', servers: /\.(ns\.cloudflare\.com)$/,                    habit: 'takes client subnets in load balancers that are set to', source: 'Cloudflare Load Balancing, steering policies' },
  { name: 'Google',     servers: /^(?:ns-cloud-[a-e][0-9]\.|ns[0-9]\.)(googledomains\.com|google\.com)$/ },
  { name: 'UltraDNS',   servers: /\.(ultradns\.(?:com|net|org|info|biz|co\.uk))$/ },
  { name: 'Dyn',        servers: /\.(dynect\.net)$/,                            habit: 'took client subnets in Traffic Director, where it was switched on', source: 'Dyn, 2015' },
  { name: 'DNSimple',   servers: /\.(dnsimple(?:-edge)?\.(?:com|net|org|io))$/,  habit: 'passes client subnets on for ALIAS records', source: 'DNSimple support' },
]

/** `name servers of Route 53 (awsdns-01.org), which takes …`, or undefined. */
export function hostNote(nameServers: readonly string[]): string | undefined {
  for (const { name, servers, habit, source } of HOSTS) {
    const [found] = nameServers.flatMap(one => servers.exec(one.toLowerCase())?.[1] ?? [])
    if (found === undefined) continue
    const known = habit === undefined ? '' : `, which ${habit} (${source})`
    return `name servers of ${name} (${found})${known}`
  }
  return undefined
}

function isUnder(name: string, suffix: string): boolean {
  return name === suffix || name.endsWith(`.${suffix}`)
}
