/** As much of `dns2` as the peer in this bench uses. */
declare module 'dns2' {
  type Message = {
    header: { rcode: number; aa: number }
    questions: { name: string; type: number }[]
    answers: { name: string; type: number; class: number; ttl: number; address: string }[]
  }
  const dns2: {
    Packet: {
      createResponseFromRequest(request: Message): Message
      TYPE: { A: number }
      CLASS: { IN: number }
    }
    createServer(options: {
      udp: boolean
      handle(request: Message, send: (response: Message) => void): void
    }): { listen(addresses: { udp: { port: number; address: string } }): Promise<unknown> }
  }
  export = dns2
}
