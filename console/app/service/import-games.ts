import { signedOut } from "./call.ts";
import { Failure, failureOf } from "./failure.ts";
import type { AuditEntry } from "./types.ts";

/** A line of the file that is wrong. */
export interface ImportFault {
  readonly line: number;
  readonly field?: string;
  readonly reason: string;
  /** `<provider>/<code>` as the file has it. */
  readonly game?: string;
  readonly value?: string;
}

/** What an import did, or what it would do. */
export interface ImportReply {
  readonly created?: number;
  readonly updated?: number;
  readonly unchanged?: number;
  readonly faults?: readonly ImportFault[];
  readonly faultCount?: number;
  /** Only of a dry run. Each list has the first games. */
  readonly preview?: {
    readonly created?: readonly PreviewedGame[];
    readonly updated?: readonly PreviewedGame[];
    /** The number of changed games that would become inactive. */
    readonly deactivated?: number;
    /** Active games of the same providers that the file does not have. */
    readonly missing?: readonly PreviewedGame[];
    readonly missingCount?: number;
  };
}

export interface PreviewedGame {
  readonly provider: string;
  readonly code: string;
  readonly name: string;
  /** Only of a game that would change. */
  readonly changes?: AuditEntry["changes"];
}

export interface ImportOptions {
  readonly format: "csv" | "json";
  readonly dryRun: boolean;
  readonly reason: string;
}

const PATH = "/aggregator.admin.v1.CatalogAdminService/ImportGames";
/** A message has at most 64 KiB. Its bytes are in base64, which needs a third more. */
const CHUNK_BYTES = 30 * 1024;
/** Flags and length before each message of a stream (Connect's protocol). */
const PREFIX_BYTES = 5;
/** The flag of the message that ends a reply. */
const END = 2;

/** Sends a file to ImportGames, which takes a stream of messages. @throws Failure */
export async function importGames(file: Blob, options: ImportOptions): Promise<ImportReply> {
  const body = await envelopes(file, options);
  let response: Response;
  try {
    response = await fetch(PATH, {
      method: "POST",
      body,
      credentials: "same-origin",
      cache: "no-store",
      headers: { "connect-protocol-version": "1", "content-type": "application/connect+json" },
    });
  } catch {
    throw new Failure("UNREACHABLE", "");
  }
  const bytes = new Uint8Array(await response.arrayBuffer());
  const errorCode = response.headers.get("error-code");
  if (response.status >= 300) throw failureOf(jsonOf(bytes), errorCode);
  return readReply(bytes);
}

async function envelopes(file: Blob, options: ImportOptions): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [envelope(options)];
  for (let from = 0; from < file.size; from += CHUNK_BYTES) {
    const bytes = await file
      .slice(from, from + CHUNK_BYTES)
      .arrayBuffer()
      .catch(() => {
        throw new Failure("FILE_NOT_READABLE", "");
      });
    parts.push(envelope({ chunk: btoa(String.fromCharCode(...new Uint8Array(bytes))) }));
  }
  return new Blob(parts);
}

function envelope(message: object): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(JSON.stringify(message));
  const bytes = new Uint8Array(PREFIX_BYTES + text.length);
  new DataView(bytes.buffer).setUint32(1, text.length);
  bytes.set(text, PREFIX_BYTES);
  return bytes;
}

/** The reply's message. The message after it ends the reply, and has the error if there is one. */
function readReply(bytes: Uint8Array<ArrayBuffer>): ImportReply {
  let reply: unknown;
  let end: unknown;
  for (let at = 0; at + PREFIX_BYTES <= bytes.length; ) {
    const length = new DataView(bytes.buffer).getUint32(at + 1);
    const value = jsonOf(bytes.subarray(at + PREFIX_BYTES, at + PREFIX_BYTES + length));
    if (bytes[at] === END) end = value;
    else reply = value;
    at += PREFIX_BYTES + length;
  }
  const { error } = (end ?? {}) as { readonly error?: { readonly code?: string } };
  if (error !== undefined) {
    if (error.code === "unauthenticated") signedOut();
    throw failureOf(error, null);
  }
  if (end === undefined || reply === undefined) throw new Failure("NOT_READABLE", "");
  return reply as ImportReply;
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new Failure("NOT_READABLE", "");
  }
}
