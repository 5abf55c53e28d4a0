const HEADER = 4;
const COM_QUERY = 0x03;
const COM_STMT_PREPARE = 0x16;
const COM_STMT_EXECUTE = 0x17;
const OK = 0x00;

/**
 * Reads the bytes of one connection of MySQL's protocol, and returns the text of each executed statement, including
 * prepared statements.
 */
export class MysqlStatements {
  readonly #prepared = new Map<number, string>();
  #unread = Buffer.alloc(0);
  /** The next reply's first packet has the number of this prepared statement. */
  #preparing: string | undefined;

  /** @returns the texts of the statements that these bytes complete. */
  readRequest(bytes: Buffer): string[] {
    this.#unread = Buffer.concat([this.#unread, bytes]);
    const texts: string[] = [];
    while (this.#unread.length >= HEADER) {
      const end = HEADER + this.#unread.readUIntLE(0, 3);
      if (this.#unread.length < end) break;
      const text = this.#read(this.#unread.subarray(HEADER, end));
      if (text !== undefined) texts.push(text);
      this.#unread = this.#unread.subarray(end);
    }
    return texts;
  }

  /** Reads the bytes of a reply, which may come in any pieces. */
  readReply(bytes: Buffer): void {
    if (this.#preparing === undefined || bytes.length < HEADER + 5) return;
    if (bytes[HEADER] === OK) this.#prepared.set(bytes.readUInt32LE(HEADER + 1), this.#preparing);
    this.#preparing = undefined;
  }

  #read(packet: Buffer): string | undefined {
    const rest = () => packet.toString("utf8", 1);
    switch (packet[0]) {
      case COM_QUERY:
        return rest();
      case COM_STMT_PREPARE:
        this.#preparing = rest();
        return undefined;
      case COM_STMT_EXECUTE:
        return this.#prepared.get(packet.readUInt32LE(1));
      default:
        return undefined;
    }
  }
}
