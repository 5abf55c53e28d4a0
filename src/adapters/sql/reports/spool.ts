import { randomBytes } from "node:crypto";
import { type FileHandle, open, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StoreUnavailable } from "../../../ports/store-unavailable.ts";

/** Characters that are kept in memory; what is longer goes into a file. */
const IN_MEMORY = 1_000_000;
/** Whoever reads nothing for so long doesn't read on. */
const IDLE_MS = 600_000;

/** Where a page stands in the file, in bytes. */
interface Place {
  readonly from: number;
  readonly length: number;
}

/**
 * Pages of what was read from a database, for a reader that may be slower: nothing of the database is held meanwhile, and memory holds no
 * more than a page of it. Short ones never touch the disk. The file has no name, and is its owner's alone: it ends with this process.
 */
export class Spool<T> {
  readonly #pages: (string | Place)[] = [];
  #size = 0;
  #file: FileHandle | null = null;
  #bytes = 0;
  #idle: NodeJS.Timeout | undefined;

  /** Throws StoreUnavailable when the file can't be written. */
  async add(page: readonly T[]): Promise<void> {
    const text = JSON.stringify(page);
    this.#size += text.length;
    if (this.#size <= IN_MEMORY) {
      this.#pages.push(text);
      return;
    }
    try {
      await this.#write(Buffer.from(text));
    } catch (cause) {
      throw new StoreUnavailable(`no room for a report in ${tmpdir()}`, { cause });
    }
  }

  async #write(bytes: Buffer): Promise<void> {
    this.#file ??= await nameless();
    for (let done = 0; done < bytes.length; ) done += (await this.#file.write(bytes, done, bytes.length - done, this.#bytes + done)).bytesWritten;
    this.#pages.push({ from: this.#bytes, length: bytes.length });
    this.#bytes += bytes.length;
  }

  /** The pages in their order, once. Whoever stops reading has closed it. */
  async *read(): AsyncGenerator<readonly T[]> {
    try {
      for (const page of this.#pages) {
        this.#touch();
        yield JSON.parse(typeof page === "string" ? page : await this.#text(page));
      }
    } finally {
      await this.close();
    }
  }

  /** Closes the file by itself when nobody reads: a caller may have gone before the first page was asked for. */
  keep(): void {
    this.#touch();
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const file = this.#file;
    this.#file = null;
    await file?.close();
  }

  #touch(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.close(), IDLE_MS).unref();
  }

  async #text({ from, length }: Place): Promise<string> {
    if (this.#file === null) throw new Error(`nobody read on for ${IDLE_MS} ms`);
    const bytes = Buffer.alloc(length);
    for (let done = 0; done < length; ) {
      const { bytesRead } = await this.#file.read(bytes, done, length - done, from + done);
      if (bytesRead === 0) throw new Error("the file of a report is shorter than it was");
      done += bytesRead;
    }
    return bytes.toString();
  }
}

async function nameless(): Promise<FileHandle> {
  const path = join(tmpdir(), `aggregator-report-${randomBytes(16).toString("hex")}`);
  const file = await open(path, "wx+", 0o600);
  await unlink(path);
  return file;
}
