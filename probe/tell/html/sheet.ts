/** How the report looks: on a screen of any width, in the colours the reader wants, and on paper. */
import { THEMES, variables } from './palette.ts'

export function styleSheet(): string {
  const themes = `:root{color-scheme:light dark;${variables(THEMES.light)}}
@media screen and (prefers-color-scheme:dark){:root{${variables(THEMES.dark)}}}`
  return [themes, TEXT, TABLES, PICTURES, LARGE, FORCED, PAPER].join('\n')
}

const TEXT = `*{box-sizing:border-box}
body{margin:0;overflow-wrap:anywhere;background:var(--paper);color:var(--ink);font:1rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
header,main,footer{max-width:70rem;margin:0 auto;padding:0 1.25rem}
header{padding-top:3rem}footer{padding-bottom:3rem;color:var(--faint)}main:focus{outline:0}
h1{font-size:2rem;line-height:1.2;font-weight:650;letter-spacing:-.02em;margin:0}
h2{font-size:1.35rem;line-height:1.3;margin:0}h3{font-size:1rem;margin:2.25rem 0 .75rem}
p{margin:.5rem 0}a{color:var(--accent)}.faint,caption,dt,.type,small{color:var(--faint)}.type{font-weight:400}
.skip{position:absolute;left:-99rem;z-index:1}.skip:focus{left:1rem;top:1rem;background:var(--card);padding:.5rem 1rem}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
section{background:var(--card);border:1px solid var(--line);border-radius:14px;padding:1.75rem;margin:1.75rem 0}
code{font-family:ui-monospace,"SF Mono",Menlo,Consolas,monospace;font-size:.875em}
.verdict{display:flex;flex-wrap:wrap;gap:.25rem .9rem;align-items:baseline;margin-top:.35rem}
.answer{font-size:1.7rem;line-height:1.3}.real{color:var(--good)}.fake{color:var(--bad)}.unclear{color:var(--doubtful)}
.error{color:var(--bad)}.warning{color:var(--doubtful)}
.lead{font-size:1.15rem;max-width:44rem}.next,.note{border-left:3px solid var(--accent);padding-left:.85rem;max-width:44rem}
.why{margin:0;padding-left:1.1rem;color:var(--faint)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1.5rem;margin-bottom:0}dd{margin:0}
details{margin-top:1.5rem}details details{margin-top:.5rem}summary{cursor:pointer;padding:.35rem 0;color:var(--accent);font-weight:600;width:fit-content}
.on-paper{display:none}
@media(max-width:40rem){header,main,footer{padding-left:1rem;padding-right:1rem}header{padding-top:1.75rem}section{padding:1.1rem}dl{display:block}dd{margin-bottom:.5rem}}`

const TABLES = `table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
.scroll{overflow-x:auto;overflow-wrap:normal}caption{text-align:left;font-size:.9rem;padding:.25rem 0}
th,td{text-align:left;padding:.4rem 1.1rem .4rem 0;border-bottom:1px solid var(--line);vertical-align:top;white-space:nowrap;font-size:.925rem}
th:last-child,td:last-child{padding-right:0}tbody th{font-weight:400}thead th{font-weight:600;color:var(--faint);font-size:.85rem}
.wrapping{white-space:normal;overflow-wrap:break-word;min-width:11rem;max-width:34rem}.wrapping p{margin:0 0 .25rem}
.wrapping ins,.wrapping del,.wrapping span{margin-right:.6rem}ins{text-decoration:none;font-weight:600;color:var(--good)}del{color:var(--bad)}
.chip{display:inline-flex;align-items:center;vertical-align:-.1em;gap:.35rem;font-weight:600}.chip svg{width:.9rem;height:.9rem;flex:none}
.bars caption{padding:0}.bars h3{color:var(--ink)}.bars th,.bars td{white-space:normal;border:0;padding:.2rem 1rem .2rem 0;vertical-align:middle}.bars tbody th{overflow-wrap:anywhere;min-width:min(calc(var(--wide)*.6em + 1rem),40vw);max-width:16rem}.bars td{width:70%;padding-right:0}
.bar{display:inline-block;vertical-align:middle;height:.9rem;min-width:2px;width:calc(var(--share)*(100% - 7rem));background:var(--accent);border-radius:2px;margin-right:.6rem}.count{white-space:nowrap}small{font-size:.85em;margin-left:.35rem}`

const PICTURES = `svg{display:block;width:100%;height:auto}svg text{fill:var(--ink);font-family:system-ui,sans-serif;font-weight:650}figure{margin:0}
.atlas{position:absolute;width:0;height:0}.land{fill:var(--line)}.edge{stroke:var(--card)}.mark{fill:var(--card)}.leader{stroke:var(--ink);stroke-width:1.5;fill:none}
.marks{display:none}@media(min-width:60rem){.wide{display:inline}}@media(min-width:34rem) and (max-width:59.999rem){.middle{display:inline}}@media(max-width:33.999rem){.narrow{display:inline}}
ul.legend{list-style:none;padding:0;margin:1rem 0 0;display:grid;grid-template-columns:repeat(auto-fill,minmax(min(21rem,100%),1fr));gap:.3rem 2rem}.legend .chip{margin-right:.4rem}.legend .faint{display:inline-block}
.charts{display:flex;flex-wrap:wrap;gap:0 3.5rem;align-items:start}.charts>*{flex:1 1 18rem;width:auto;min-width:0}
.plot{display:grid;grid-template-columns:max-content 1fr;grid-template-rows:auto 9rem auto;column-gap:.6rem;align-content:start}.plot h3,.plot figcaption{grid-column:1/-1}
.plot svg{height:100%;overflow:visible}.plot span{font-size:.8rem;line-height:1;color:var(--faint)}figcaption{font-size:.85rem;margin-top:.5rem}
.upwards{display:flex;flex-direction:column;justify-content:space-between;align-items:end;margin:-.4rem 0}.along{grid-column:2;display:flex;justify-content:space-between;margin-top:.6rem}
.axis{stroke:var(--line);fill:none;vector-effect:non-scaling-stroke}.dots{stroke:var(--accent);stroke-width:6;stroke-linecap:round;fill:none;vector-effect:non-scaling-stroke}`

/** A narrow page in large letters. */
const LARGE = `@media(max-width:20rem){header,main,footer{padding-left:.4rem;padding-right:.4rem}section{padding:.7rem .5rem}.bar{display:block;width:calc(var(--share)*100%)}.count{white-space:normal}}`

const FORCED = `@media(forced-colors:active){.bar{forced-color-adjust:none;background:CanvasText}.dots{stroke:CanvasText}.axis,.edge,.leader{stroke:GrayText}.land{fill:Canvas}.mark{fill:Canvas}svg text{fill:CanvasText}}`

/** Light whatever the scheme; who got what is open, each query stays in the file. */
const PAPER = `@page{margin:16mm 14mm}
@media print{:root{color-scheme:light;font-size:10pt}body{background:#fff;line-height:1.45;print-color-adjust:exact}
header,main,footer{max-width:none;padding:0}header{padding-top:0}
section{border:0;border-top:1.5pt solid var(--ink);border-radius:0;padding:8pt 0 0;margin:16pt 0 0}
h2,h3,caption,summary,thead,.verdict,.lead{break-after:avoid}h2+*,h3+*{break-before:avoid}
tr,figure,.together,.bars,li,dl,.next,.note{break-inside:avoid}p,li{orphans:3;widows:3}thead{display:table-header-group}
th,td{white-space:normal;overflow-wrap:break-word;padding:2pt 9pt 2pt 0}td code,.wrapping{overflow-wrap:anywhere}.wrapping{min-width:0;max-width:none}.scroll{overflow:visible}
details::details-content{content-visibility:visible;block-size:auto;display:block}summary{color:var(--ink);list-style:none}
.skip,.off-paper{display:none}.on-paper{display:block}a{color:inherit}a[href^=http]::after{content:" " attr(href);font-size:7pt;overflow-wrap:anywhere}
.world svg{max-height:80mm;width:auto;max-width:100%;margin:0 auto}}`
