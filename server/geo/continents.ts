/**
 * The continent of each country, from the text of `data/geo/countries.csv`: a head line, then
 * code, continent and name. Whoever calls has read the file.
 */

/** Country code to continent code, both upper case. */
export function readContinents(text: string): ReadonlyMap<string, string> {
  const rows = text.split('\n').slice(1)
  const continents = new Map<string, string>()
  for (const row of rows) {
    const [country, continent] = row.split(',')
    if (country && continent) continents.set(country, continent)
  }
  return continents
}
