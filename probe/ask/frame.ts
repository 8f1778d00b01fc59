/**
 * Messages over TCP: two octets of length, then the message (RFC 1035 §4.2.2). A stream may cut them
 * anywhere, between the two length octets too.
 */

/** The query with its length before it, to be sent in one write (RFC 7766 §8). */
export function framed(message: Uint8Array): Uint8Array {
  const frame = new Uint8Array(message.length + 2)
  frame[0] = message.length >> 8
  frame[1] = message.length & 0xff
  frame.set(message, 2)
  return frame
}

/** The first whole message in what has arrived so far, or `undefined`: more is to come. */
export function unframed(chunks: readonly Uint8Array[]): Uint8Array | undefined {
  const all = Buffer.concat(chunks)
  if (all.length < 2) return undefined
  const end = 2 + all.readUInt16BE(0)
  return all.length < end ? undefined : all.subarray(2, end)
}
