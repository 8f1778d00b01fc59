/**
 * Parts of countries as operators write them: ISO 3166-2 codes, and cities by name. Whether a
 * country has such a part is not checked: databases do not agree on that.
 */
import { type Wrong, wrong } from '../fault.ts'
import { type Countries, countryFlaw, countryMeant } from './country.ts'

const LIKE = 'write it like US-CA, as in ISO 3166-2'
const LIKE_CITY = 'write it like Berlin, DE/Berlin or US-CA/Los Angeles'

/** Says what is wrong with the code of a subdivision, or nothing. */
export function subdivisionFlaw(code: string, countries: Countries): Wrong | undefined {
  const upper = code.toUpperCase()
  const what = `${code || '""'} is not an ISO 3166-2 code`
  if (countries.has(upper))
    return wrong(`${code} is a country`, `put it under countries, or ${LIKE}`)
  const [, country = '', part = ''] = /^([A-Z]{2,3})[-_ ]([A-Z0-9]{1,3})$/.exec(upper) ?? []
  if (country === '') return wrong(what, LIKE)
  const meant = countries.has(country) ? country : countryMeant(country, countries)
  if (meant === undefined) return wrong(`${what}: there is no country ${country}`, LIKE)
  return code === `${meant}-${part}` ? undefined : wrong(what, `did you mean ${meant}-${part}?`)
}

/** Says what is wrong with the name of a city, which may have its country or subdivision before it. */
export function cityFlaw(text: string, countries: Countries): Wrong | undefined {
  const slash = text.indexOf('/')
  const name = text.slice(slash + 1)
  if (name.trim() === '' || slash === 0) return wrong(`${text || '""'} names no city`, LIKE_CITY)
  if (name !== name.trim()) return wrong(`"${text}" has blanks around the name`, 'take them out')
  if (slash < 0) return undefined
  const inside = text.slice(0, slash)
  return inside.includes('-') ? subdivisionFlaw(inside, countries) : countryFlaw(inside, countries)
}
