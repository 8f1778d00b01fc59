/**
 * Whose service an alias leads to, and what that one was seen to do with client subnets: a note beside
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

function isUnder(name: string, suffix: string): boolean {
  return name === suffix || name.endsWith(`.${suffix}`)
}
