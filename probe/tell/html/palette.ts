/** The colours of the report, light and dark: Okabe and Ito's, which colour-blind eyes tell apart. */

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

/** Fills of answer groups; the letter stands beside, so colour is never alone. */
export const GROUPS = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#f0e442']

/** By letter: `A` … `Z`, `AA`. Beyond the palette it begins again, and the letter tells. */
export function fillOf(letter: string): string {
  const at = letter.charCodeAt(letter.length - 1) - 65
  return GROUPS[at % GROUPS.length] ?? '#888888'
}

function variables(theme: Theme): string {
  return Object.entries(theme)
    .map(([name, color]) => `--${name}:${color}`)
    .join(';')
}

export function styleSheet(): string {
  return `:root{color-scheme:light dark;${variables(THEMES.light)}}
@media screen and (prefers-color-scheme:dark){:root{${variables(THEMES.dark)}}}
*{box-sizing:border-box}
body{margin:0;overflow-wrap:anywhere;background:var(--paper);color:var(--ink);font:16px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
header,main,footer{max-width:66rem;margin:0 auto;padding:0 1.25rem}
header{padding-top:3rem}footer{padding-bottom:3rem;color:var(--faint)}
h1{font-size:2rem;line-height:1.2;font-weight:650;letter-spacing:-.02em;margin:0}
h2{font-size:1.35rem;line-height:1.3;margin:0;overflow-wrap:anywhere}h3{font-size:1rem;margin:2.25rem 0 .75rem}
p{margin:.5rem 0}.faint,caption,dt{color:var(--faint)}a{color:var(--accent)}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:1rem;background:var(--card);padding:.5rem 1rem}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
section{background:var(--card);border:1px solid var(--line);border-radius:14px;padding:1.75rem;margin:1.75rem 0}
.verdict{display:flex;flex-wrap:wrap;gap:.35rem 1rem;align-items:baseline}
.answer{font-size:1.7rem;font-weight:700}.real{color:var(--good)}.fake{color:var(--bad)}.unclear{color:var(--doubtful)}
code,td,th[scope=row]{font-family:ui-monospace,"SF Mono",Menlo,Consolas,monospace;font-size:.875em}
.lead{font-size:1.15rem}.next{border-left:3px solid var(--accent);padding-left:.85rem}
.scroll{overflow-x:auto;overflow-wrap:normal}table{border-collapse:collapse;width:100%}caption{text-align:left;font-size:.9rem;padding:.25rem 0}
th,td{text-align:left;padding:.4rem .9rem .4rem 0;border-bottom:1px solid var(--line);vertical-align:top;white-space:nowrap}
.wrapping{white-space:normal;overflow-wrap:break-word;min-width:11rem;max-width:38rem}.wrapping p{margin:0 0 .25rem}.wrapping ins,.wrapping del,.wrapping span{display:inline-block;margin-right:.6rem;white-space:nowrap}ins{text-decoration:none;font-weight:600}
thead th{font-weight:600;color:var(--faint);font-size:.85rem}
svg{display:block;width:100%;height:auto}svg text{fill:var(--ink);font:12px system-ui,sans-serif}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(22rem,100%),1fr));gap:.5rem 3rem}
.land{fill:var(--line)}.edge{stroke:var(--card)}.axis{stroke:var(--line);fill:none}svg .tick{fill:var(--faint)}figure{margin:0}.dot{fill-opacity:.6}.bar{fill:var(--accent)}.dot{fill:var(--accent)}
ul.legend{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:.4rem 1.5rem}.legend svg{display:inline-block;width:1rem;height:1rem;vertical-align:-.15rem;margin-right:.4rem}
details{margin-top:1.5rem}summary{cursor:pointer;padding:.35rem 0;color:var(--accent);font-weight:600}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1.5rem}dd{margin:0;overflow-wrap:anywhere}
.added{color:var(--good)}.gone{color:var(--bad)}
@media(max-width:40rem){header{padding-top:1.75rem}section{padding:1.1rem}dl{display:block}dd{margin-bottom:.5rem}}
@media print{body{background:#fff}section{border-color:#999}tr,figure{break-inside:avoid}details::details-content{content-visibility:visible;block-size:auto}.skip{display:none}.scroll{overflow:visible}th,td{white-space:normal}}`
}
