import { randomBytes } from "node:crypto";
import { type FileHandle, open, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StoreUnavailable } from "../../../ports/store-unavailable.ts";

/** The first pages stay in memory, up to this many characters. The other pages are written to a file. */
const IN_MEMORY = 1_000_000;
/** A reader that reads nothing for this time counts as gone. */
const IDLE_MS = 600_000;

/** The position of a page in the file, in bytes. */
interface Position {
  readonly from: number;
  readonly length: number;
}

/**
 * Keeps the pages of a report for a reader that may be slow, so that the report needs no connection meanwhile. A short
 * report stays in memory. A long report is written to a file, and then only one page is in memory at a time. The file
 * has no name. Only its owner may read it, and it is deleted when this process ends.
 */
export class Spool<T> {
  readonly #pages: (string | Position)[] = [];
  #size = 0;
  #file: FileHandle | null = null;
  #bytes = 0;
  #idle: NodeJS.Timeout | undefined;

  /** @throws StoreUnavailable if the file can't be written. */
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
      throw new StoreUnavailable(`a report can't be written to ${tmpdir()}`, { cause });
    }
  }

  async #write(bytes: Buffer): Promise<void> {
    this.#file ??= await openNameless();
    for (let done = 0; done < bytes.length; )
      done += (await this.#file.write(bytes, done, bytes.length - done, this.#bytes + done)).bytesWritten;
    this.#pages.push({ from: this.#bytes, length: bytes.length });
    this.#bytes += bytes.length;
  }

  /**
   * The pages in their order. They can be read only once: the file is closed when the reader has read all pages or
   * stops.
   */
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

  /**
   * Call this before the pages are read. From then on the file is closed if nobody reads for some time, because the
   * caller may have gone.
   */
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

  async #text({ from, length }: Position): Promise<string> {
    if (this.#file === null) throw new Error(`the report was closed: nothing of it was read for ${IDLE_MS} ms`);
    const bytes = Buffer.alloc(length);
    for (let done = 0; done < length; ) {
      const { bytesRead } = await this.#file.read(bytes, done, length - done, from + done);
      if (bytesRead === 0) throw new Error("the file of a report is shorter than what was written to it");
      done += bytesRead;
    }
    return bytes.toString();
  }
}

async function openNameless(): Promise<FileHandle> {
  const path = join(tmpdir(), `aggregator-report-${randomBytes(16).toString("hex")}`);
  const file = await open(path, "wx+", 0o600);
  await unlink(path);
  return file;
}
