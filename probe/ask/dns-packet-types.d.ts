/** The table of types of `dns-packet`, which comes without declarations. */
declare module 'dns-packet/types.js' {
  const table: {
    /** `AAAA`, or `UNKNOWN_65280`. */
    readonly toString: (type: number) => string
    /** 0 for a word that it does not know. */
    readonly toType: (text: string) => number
  }
  export = table
}
