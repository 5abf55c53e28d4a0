import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Request, RequestHandler, Response } from "express";
import { etagOf, hasCurrent } from "../replies/etag.ts";

/** In the order in which they are preferred, for the first is the shortest. */
const ENCODINGS = ["br", "gzip"] as const;
type Encoding = (typeof ENCODINGS)[number];

const COMPRESS: Readonly<Record<Encoding, (content: Buffer) => Promise<Buffer>>> = {
  // Levels above this one take seconds for a tenth less.
  br: (content) => promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: promisify(gzip),
};

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  json: "application/json; charset=utf-8",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  woff2: "font/woff2",
};

/** What anybody may fetch and nobody changes: one buffer in memory for all its answers, and one more for each encoding once it was asked for. */
export class PageFile {
  readonly #content: Buffer;
  readonly #etag: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #isCompressed: boolean;
  readonly #encoded = new Map<Encoding, Promise<Buffer>>();

  /**
   * @param extension - says what it is: `html`, `json`, `css`, `js` or `woff2`.
   * @param headers - on each of its answers.
   */
  constructor(extension: string, content: string | Buffer, headers: Readonly<Record<string, string>>) {
    const type = TYPES[extension];
    if (type === undefined) throw new Error(`TYPES has no content type for .${extension}`);
    this.#content = typeof content === "string" ? Buffer.from(content) : content;
    // Weak: the same content has one tag in every encoding.
    this.#etag = etagOf(this.#content);
    this.#headers = { "Content-Type": type, ETag: `W/${this.#etag}`, Vary: "Accept-Encoding", ...headers };
    this.#isCompressed = extension !== "woff2";
  }

  readonly answer: RequestHandler = async (request, response) => {
    if (hasCurrent(request.headersDistinct["if-none-match"] ?? [], this.#etag)) {
      response.writeHead(304, this.#headers).end();
      return;
    }
    const encoding = this.#isCompressed ? ENCODINGS.find((one) => request.acceptsEncodings(one)) : undefined;
    if (encoding === undefined) this.#send(request, response, this.#content);
    else this.#send(request, response, await this.#in(encoding), { "Content-Encoding": encoding });
  };

  /** All who ask for an encoding at the same time wait for one compression. */
  #in(encoding: Encoding): Promise<Buffer> {
    let encoded = this.#encoded.get(encoding);
    if (encoded === undefined) {
      encoded = COMPRESS[encoding](this.#content);
      this.#encoded.set(encoding, encoded);
    }
    return encoded;
  }

  #send({ method }: Request, response: Response, body: Buffer, more: Readonly<Record<string, string>> = {}): void {
    response.writeHead(200, { ...this.#headers, ...more, "Content-Length": body.length });
    response.end(method === "HEAD" ? undefined : body);
  }
}
