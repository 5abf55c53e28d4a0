import type { SilenceCause } from "../../../contract/wallet/results.ts";
import { GrowingBuffer } from "../http/growing-buffer.ts";
import { REPLY_BYTES_MAX } from "./reply.ts";

/**
 * The end of a request: a complete reply, or the reason why there is none. `status` is null if no final reply had
 * begun. `body` is the part of the body that had arrived. `coding` is the reply's Content-Encoding, if it has another
 * one than identity. `error` is the error of the connection.
 */
export type Ending = { readonly body: Buffer; readonly coding?: string } & (
  | { readonly fault: null; readonly status: number }
  | { readonly fault: SilenceCause; readonly status: number | null; readonly error?: NodeJS.ErrnoException }
);

/** One request and its reply, as an HTTP client reports them. Each ends exactly once. */
export class Exchange {
  readonly #onEnd: (ending: Ending) => void;
  readonly #onFirstByte: (() => void) | undefined;
  /** The part of the body that has arrived. */
  readonly #body = new GrowingBuffer(REPLY_BYTES_MAX);
  #status: number | null = null;
  #coding: string | undefined;
  #started = false;
  #ended = false;

  constructor(onEnd: (ending: Ending) => void, onFirstByte?: () => void) {
    this.#onEnd = onEnd;
    this.#onFirstByte = onFirstByte;
  }

  /** Ends the request without a reply. The caller must destroy the connection. */
  fail(fault: SilenceCause, error?: NodeJS.ErrnoException): void {
    if (this.#ended) return;
    this.#end({ fault, status: this.#status, body: this.#body.bytes, ...(error !== undefined && { error }) });
  }

  /** A client calls this before it writes the request. false: it must not write it, because it ended or was written. */
  start(): boolean {
    if (this.#ended || this.#started) return false;
    this.#started = true;
    return true;
  }

  /**
   * The head of the final reply, or of an interim reply (1xx) before it.
   *
   * @param coding - the header Content-Encoding.
   */
  head(status: number, coding: string | readonly string[] | undefined): void {
    this.#onFirstByte?.();
    if (status < 200) return;
    this.#status = status;
    this.#coding = coding === undefined ? undefined : codingOf(coding);
  }

  data(piece: Buffer): void {
    if (this.#ended) return;
    if (!this.#body.add(piece)) this.fail("too_large");
  }

  /** The reply is complete. */
  end(): void {
    if (!this.#ended) this.#end({ fault: null, status: this.#status ?? 0, body: this.#body.bytes });
  }

  /** There was no connection, or it broke. */
  broken(error: NodeJS.ErrnoException): void {
    this.fail(isTlsFault(error) ? "tls" : "connect", error);
  }

  #end(ending: Ending): void {
    this.#ended = true;
    this.#onEnd(this.#coding === undefined ? ending : { ...ending, coding: this.#coding });
  }
}

const CODING_MAX = 40;

/** The codings of a reply, without identity; undefined: the body is as it is. */
function codingOf(header: string | readonly string[]): string | undefined {
  const names = [header].flat().join(",").toLowerCase().split(",");
  const codings = names.map((name) => name.replace(/[^a-z0-9._+-]/g, "")).filter((name) => !/^(identity)?$/.test(name));
  return codings.length === 0 ? undefined : codings.join(", ").slice(0, CODING_MAX);
}

/**
 * The error codes of Node's TLS functions and of OpenSSL's certificate checks (Node's documentation: tls, X509
 * certificate error codes).
 */
const TLS_FAULT =
  /^(ERR_TLS_|ERR_SSL_|EPROTO$|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERROR_IN_|HOSTNAME_MISMATCH|INVALID_|PATH_LENGTH_)/;

const isTlsFault = (error: NodeJS.ErrnoException): boolean => TLS_FAULT.test(error.code ?? "");
