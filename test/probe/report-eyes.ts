/**
 * What a reader would see amiss on a page, measured in the page itself. Each function but `contrast`
 * is sent to the browser as it stands: it may use nothing from outside itself. Knows no DNS.
 */

type Box = {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}
type Looks = Readonly<Record<string, string>>
type Thing = {
  readonly nodeName: string
  /** Of a fold. */
  open?: boolean
  readonly textContent: string
  readonly parentElement: Thing | undefined
  readonly matches: (selector: string) => boolean
  readonly closest: (selector: string) => Thing | undefined
  readonly getBoundingClientRect: () => Box
  readonly getClientRects: () => ArrayLike<Box>
}
type Walker = { readonly nextNode: () => Thing | undefined }
type Range = {
  readonly selectNode: (node: Thing) => void
  readonly getClientRects: () => ArrayLike<Box>
}

declare const document: {
  readonly body: Thing
  readonly activeElement: Thing | undefined
  readonly querySelectorAll: (selector: string) => ArrayLike<Thing>
  readonly createTreeWalker: (root: Thing, what: number) => Walker
  readonly createRange: () => Range
}
declare const getComputedStyle: (thing: Thing) => Looks
declare const innerWidth: number
declare const innerHeight: number

/** Contrast of two colours, `#rrggbb`. WCAG 2.2, relative luminance. */
export function contrast(one: string, other: string): number {
  const luminance = (color: string): number => {
    const [r = 0, g = 0, b = 0] = [1, 3, 5].map(at => {
      const share = Number.parseInt(color.slice(at, at + 2), 16) / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

/** Lines of text that lie upon one another or beside the page. What scrolls by itself is cut there. */
export function textAmiss(): readonly string[] {
  type Line = Box & { readonly text: string }
  const lines: Line[] = []
  const walker = document.createTreeWalker(document.body, 4)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement
    if (
      !parent ||
      !node.textContent.trim() ||
      parent.closest('.skip,title,desc,style,details:not([open]) > :not(summary)')
    )
      continue
    const marks = parent.closest('.marks')
    // has boxes even where it is not drawn
    if (marks && getComputedStyle(marks).display === 'none') continue
    const frame = parent.closest('.scroll')?.getBoundingClientRect()
    const range = document.createRange()
    range.selectNode(node)
    for (const { left, right, top, bottom } of Array.from(range.getClientRects())) {
      const cut = Math.min(right, frame?.right ?? right)
      const slack = (bottom - top) * 0.2
      const box = { left, right: cut, top: top + slack, bottom: bottom - slack }
      if (box.right - left > 1 && box.bottom > box.top)
        lines.push({ ...box, text: node.textContent.trim().slice(0, 40) })
    }
  }
  const sorted = lines.toSorted((a, b) => a.top - b.top)
  const beside = sorted.filter(({ left, right }) => left < -1 || right > innerWidth + 1)
  const upon = sorted.flatMap((one, at) => {
    const found: string[] = []
    for (let next = at + 1; next < sorted.length; next += 1) {
      const other = sorted[next]
      if (!other || other.top >= one.bottom - 1) break
      if (other.left < one.right - 1 && one.left < other.right - 1)
        found.push(`${one.text} × ${other.text}`)
    }
    return found
  })
  return [...beside.map(({ text }) => `beside the page: ${text}`), ...upon]
}

/** Elements that hide a part of what is in them. */
export function cutOff(): readonly string[] {
  return Array.from(document.querySelectorAll('body *')).flatMap(one => {
    const { overflowX = '', overflowY = '' } = getComputedStyle(one)
    if (one.closest('.scroll,.atlas,svg') || !`${overflowX}${overflowY}`.match(/hidden|clip/))
      return []
    return [`${one.nodeName}: ${one.textContent.slice(0, 40)}`]
  })
}

/** Texts and marks, each with its colour and that of the ground it stands on, as `#rrggbb`. */
export function colors(): readonly {
  what: string
  color: string
  ground: string
  least: number
}[] {
  const hex = (color: string): string | undefined => {
    const [r, g, b, alpha = '1'] = color.match(/[\d.]+/g) ?? []
    if (!color.startsWith('rgb') || b === undefined || alpha === '0') return undefined
    return `#${[r, g, b].map(part => Number(part).toString(16).padStart(2, '0')).join('')}`
  }
  const groundOf = (one: Thing | undefined): string => {
    for (let at = one; at; at = at.parentElement) {
      const found = hex(getComputedStyle(at).backgroundColor ?? '')
      if (found) return found
    }
    return '#ffffff'
  }
  const isShown = (one: Thing): boolean =>
    !one.closest('details:not([open]) > :not(summary)') && one.getClientRects().length > 0
  const rows = (selector: string, property: string, least: number) =>
    Array.from(document.querySelectorAll(selector)).flatMap(one => {
      const color = hex(getComputedStyle(one)[property] ?? '')
      if (!color || !isShown(one) || !(one.textContent.trim() || least < 4)) return []
      const what = `${one.nodeName} ${property} ${one.textContent.slice(0, 30)}`
      return [{ what, color, ground: groundOf(one.parentElement), least }]
    })
  const words =
    'h1,h2,h3,p,li,a,code,strong,span,small,th,td,caption,summary,dt,dd,ins,del,time,figcaption'
  return [
    ...rows(words, 'color', 4.5),
    ...rows('svg text', 'fill', 4.5),
    ...rows('.bar', 'backgroundColor', 3),
    ...rows('.dots,.mark', 'stroke', 3),
    ...rows('.chip rect,use[fill]', 'fill', 3),
  ]
}

/** What has the focus: what it is called, whether it is on the screen, and whether that shows. */
export function focused(): { what: string; isSeen: boolean; outline: number } | undefined {
  const one = document.activeElement
  if (!one || one.nodeName === 'BODY') return undefined
  const { left, right, top, bottom } = one.getBoundingClientRect()
  const { outlineStyle, outlineWidth = '0' } = getComputedStyle(one)
  const isSeen = right > 0 && left < innerWidth && bottom > 0 && top < innerHeight && right > left
  const outline = outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth)
  return { what: `${one.nodeName} ${one.textContent.slice(0, 30)}`, isSeen, outline }
}

/** Everything that can have the focus now: what is in a fold that is closed cannot. */
export function focusable(): number {
  const all = document.querySelectorAll('a[href],summary,[tabindex="0"]')
  return Array.from(all).filter(one => {
    const outside = one.nodeName === 'SUMMARY' ? one.parentElement : one
    return !outside?.parentElement?.closest('details:not([open])')
  }).length
}

/** Opens folds: of those with queries, which are many and alike, the first. */
export function openAll(): void {
  const folds = Array.from(document.querySelectorAll('details:not(.off-paper)'))
  const [queries] = Array.from(document.querySelectorAll('.off-paper'))
  for (const fold of queries ? [...folds, queries] : folds) fold.open = true
}

/** Anything that moves by itself, or slowly. */
export function moving(): readonly string[] {
  return Array.from(document.querySelectorAll('*')).flatMap(one => {
    const {
      animationName = 'none',
      transitionDuration = '0s',
      scrollBehavior,
    } = getComputedStyle(one)
    const isStill =
      animationName === 'none' && transitionDuration === '0s' && scrollBehavior === 'auto'
    return isStill ? [] : [one.nodeName]
  })
}
