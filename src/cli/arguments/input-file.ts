import { type FileHandle, open } from "node:fs/promises";
import { resolve } from "node:path";

/** The size of one piece of a file. A piece with its message frame fits into one message to the service. */
const PIECE_BYTES = 48 * 1024;

/** The file of a command can't be read. The exit code is 1. The service was not called. */
export class InputError extends Error {
  override readonly name = "InputError";
}

/**
 * Opens a file, which is then read in pieces. `-` is standard input. npm runs scripts in the project's folder, but a
 * relative name is resolved from the folder in which npm was called.
 *
 * @throws InputError if the file can't be opened
 */
export async function openInput(file: string): Promise<AsyncIterable<Uint8Array<ArrayBuffer>>> {
  if (file === "-") return pieces(process.stdin);
  const calledFrom = process.env.npm_lifecycle_event === "admin" ? (process.env.INIT_CWD ?? ".") : ".";
  const path = resolve(calledFrom, file);
  let handle: FileHandle;
  try {
    handle = await open(path);
  } catch (cause) {
    throw new InputError(
      `--file ${file} can't be opened: ${(cause as NodeJS.ErrnoException).code === "ENOENT" ? `there is no ${path}` : String(cause)}`,
    );
  }
  if ((await handle.stat()).isDirectory()) {
    await handle.close();
    throw new InputError(`--file ${file} is a folder: name a file, such as games.json`);
  }
  return pieces(handle.createReadStream({ highWaterMark: PIECE_BYTES }));
}

async function* pieces(stream: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for await (const read of stream) {
    for (let at = 0; at < read.length; at += PIECE_BYTES) yield new Uint8Array(read.subarray(at, at + PIECE_BYTES));
  }
}
