import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Request, RequestHandler, Response } from "express";
import { etagOf, hasCurrent } from "../replies/etag.ts";

/** The preferred encoding comes first: brotli is shorter than gzip. */
const ENCODINGS = ["br", "gzip"] as const;
type Encoding = (typeof ENCODINGS)[number];

const COMPRESS: Readonly<Record<Encoding, (content: Buffer) => Promise<Buffer>>> = {
  // Higher levels take seconds and save only a tenth.
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

/**
 * A public file that never changes. It is kept in memory, once as it is and once in each encoding that was asked for.
 */
export class PageFile {
  readonly #content: Buffer;
  readonly #etag: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #isCompressed: boolean;
  readonly #encoded = new Map<Encoding, Promise<Buffer>>();

  /**
   * @param extension - gives the content type: `html`, `json`, `css`, `js` or `woff2`.
   * @param headers - the further headers of each answer.
   */
  constructor(extension: string, content: string | Buffer, headers: Readonly<Record<string, string>>) {
    const type = TYPES[extension];
    if (type === undefined) throw new Error(`TYPES has no content type for .${extension}`);
    this.#content = typeof content === "string" ? Buffer.from(content) : content;
    // The tag is weak, because it is the same in every encoding.
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

  /** Requests that come at the same time share one compression. */
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
