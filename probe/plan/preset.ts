/** What kinds of client subnets can be asked for, by word. */

/** Kinds of networks; `world` is all but the clouds, at least one network of every country. */
export const PRESETS = ['academic', 'isp', 'cloud', 'world'] as const
export type Preset = (typeof PRESETS)[number]

/** Families of the client subnets. */
export type Clients = 'ipv4' | 'ipv6' | 'both'
