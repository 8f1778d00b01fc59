/**
 * Colours of a picture, for light paper and for dark. Ten choices stay apart for whoever sees colours
 * otherwise: seven are Okabe and Ito's, three differ from them in lightness; a test measures them all
 * in four kinds of sight. Choices beyond that share one grey.
 */

export type Scheme = 'light' | 'dark'

const OKABE_ITO = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#f0e442']

/** One for each choice that has a colour of its own. */
export const HUES: Readonly<Record<Scheme, readonly string[]>> = {
  light: [...OKABE_ITO, '#332288', '#7a4a21', '#1f2328'],
  dark: [...OKABE_ITO, '#6f5bd8', '#8b5a2b', '#e6edf3'],
}

/** What is not a choice. */
// biome-ignore format: table
export const PAPER: Readonly<Record<Scheme, Readonly<Record<'paper' | 'ink' | 'faint' | 'land' | 'others', string>>>> = {
  light: { paper: '#ffffff', ink: '#1f2328', faint: '#59636e', land: '#d1d9e0', others: '#9aa4ae' },
  dark:  { paper: '#0d1117', ink: '#f0f6fc', faint: '#9198a1', land: '#2f353d', others: '#767f8a' },
}

/** By choice: the number of its colour; those without one of their own are `others`. */
export type Hues = readonly (number | 'others')[]

/** The class of a choice's colour. */
export function hueClass(hue: number | 'others'): string {
  return hue === 'others' ? hue : `hue${hue}`
}

/**
 * Gives choices their colours: where there are too many, those with the most clients get one, and
 * always in the order of the choices.
 *
 * @param clients of each choice
 */
export function huesOf(clients: readonly number[]): Hues {
  const ordered = [...clients.keys()].sort((a, b) => (clients[b] ?? 0) - (clients[a] ?? 0))
  const own = new Set(ordered.slice(0, HUES.light.length))
  let next = 0
  return clients.map((_, choice) => {
    if (!own.has(choice)) return 'others'
    next += 1
    return next - 1
  })
}

/**
 * The style sheet of a picture: what is drawn in `currentColor` takes that of its class.
 */
export function styleText(): string {
  const dark = `@media(prefers-color-scheme:dark){${schemeText('dark')}}`
  return `${schemeText('light')}${dark}${OVER_ANY_COLOR}`
}

/** Text that stands on colours has a rim. */
const OVER_ANY_COLOR =
  '.octet{fill:#fff;stroke:#000;stroke-opacity:.45;stroke-width:.9}' +
  '.octet,.pool text{paint-order:stroke;stroke-linejoin:round}' +
  '.pool text{font-weight:600;stroke-width:3.5}.ring{stroke-width:1.75}'

function schemeText(scheme: Scheme): string {
  const { paper, ink } = PAPER[scheme]
  const named = Object.entries(PAPER[scheme])
  const hues = HUES[scheme].map((color, hue) => [hueClass(hue), color])
  const colors = [...named, ...hues].map(([name, color]) => `.${name}{color:${color}}`).join('')
  return `${colors}.edge,.pool text{stroke:${paper}}.ring{stroke:${ink}}`
}
