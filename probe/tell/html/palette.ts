/** The colours of the report, light and dark, and those of answer groups. */

type Theme = {
  readonly paper: string
  readonly card: string
  readonly ink: string
  readonly faint: string
  readonly line: string
  readonly accent: string
  readonly good: string
  readonly bad: string
  readonly doubtful: string
}

// biome-ignore format: table
export const THEMES: Readonly<Record<'light' | 'dark', Theme>> = {
  light: { paper: '#f7f7f5', card: '#ffffff', ink: '#1f2328', faint: '#59606a', line: '#d8dbdf', accent: '#0060a0', good: '#00694a', bad: '#a33a00', doubtful: '#725000' },
  dark:  { paper: '#11151a', card: '#191f26', ink: '#eef2f6', faint: '#a3adb8', line: '#343c46', accent: '#6cc0f2', good: '#4cc79d', bad: '#ff9d66', doubtful: '#edc04f' },
}

/**
 * Fills of answer groups, after Okabe and Ito, each of a lightness that stands out from light and dark
 * cards alike; the letter stands beside, so colour is never alone.
 */
export const GROUPS = ['#0072b2', '#c07800', '#009068', '#b8609a', '#3394cc', '#d55e00', '#857a00']

/** By letter: `A` … `Z`, `AA`. Beyond the palette it begins again, and the letter tells. */
export function fillOf(letter: string): string {
  const at = letter.charCodeAt(letter.length - 1) - 65
  return GROUPS[at % GROUPS.length] ?? '#888888'
}

export function variables(theme: Theme): string {
  return Object.entries(theme)
    .map(([name, color]) => `--${name}:${color}`)
    .join(';')
}
