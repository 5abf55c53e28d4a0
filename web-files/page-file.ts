import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { etagOf, hasCurrent } from "./etag.ts";
import { listItems } from "./list-header.ts";

/** The preferred encoding comes first: brotli is shorter than gzip. */
const ENCODINGS = ["br", "gzip"] as const;
type Encoding = (typeof ENCODINGS)[number];

const LARGE_BYTES = 100_000;

const COMPRESS: Readonly<Record<Encoding, (content: Buffer, brotliLevel: number) => Promise<Buffer>>> = {
  br: (content, level) => promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: level } }),
  gzip: (content) => promisify(gzip)(content),
};

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  json: "application/json; charset=utf-8",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
  woff2: "font/woff2",
};

/**
 * A public file that never changes. It is kept in memory, once as it is and once in each encoding that was asked for.
 */
export class PageFile {
  readonly content: Buffer;
  /** Of each answer, beside what an encoding adds. */
  readonly headers: Readonly<Record<string, string>>;
  readonly #etag: string;
  readonly #isCompressed: boolean;
  readonly #brotliLevel: number;
  readonly #encoded = new Map<Encoding, Promise<Buffer>>();

  /**
   * @param extension - gives the content type: `html`, `json`, `css`, `js`, `svg` or `woff2`.
   * @param headers - the further headers of each answer.
   * @param brotliLevel - 0 to 11. By default 10, which saves 7 % of what level 9 leaves, and 9 for large files, because
   *   level 10 would take a second or more. A page that is made for one request takes a low level.
   */
  constructor(
    extension: string,
    content: string | Buffer,
    headers: Readonly<Record<string, string>>,
    brotliLevel = content.length > LARGE_BYTES ? 9 : 10,
  ) {
    const type = TYPES[extension];
    if (type === undefined) throw new Error(`TYPES has no content type for .${extension}`);
    this.content = typeof content === "string" ? Buffer.from(content) : content;
    // The tag is weak, because it is the same in every encoding.
    this.#etag = etagOf(this.content);
    this.headers = { "Content-Type": type, ETag: `W/${this.#etag}`, Vary: "Accept-Encoding", ...headers };
    this.#isCompressed = extension !== "woff2";
    this.#brotliLevel = brotliLevel;
  }

  /** Answers a GET or HEAD request. Headers that were set on the response are sent too. */
  readonly answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (hasCurrent(request.headersDistinct["if-none-match"] ?? [], this.#etag)) {
      response.writeHead(304, this.headers).end();
      return;
    }
    const encoding = this.#isCompressed ? acceptedEncoding(request) : undefined;
    const body = encoding === undefined ? this.content : await this.#in(encoding);
    response.writeHead(200, {
      ...this.headers,
      ...(encoding && { "Content-Encoding": encoding }),
      "Content-Length": body.length,
    });
    response.end(request.method === "HEAD" ? undefined : body);
  };

  /** Requests that come at the same time share one compression. */
  #in(encoding: Encoding): Promise<Buffer> {
    let encoded = this.#encoded.get(encoding);
    if (encoded === undefined) {
      encoded = COMPRESS[encoding](this.content, this.#brotliLevel);
      this.#encoded.set(encoding, encoded);
    }
    return encoded;
  }
}

/** The first of {@link ENCODINGS} that the caller accepts. Its own order of preference does not count. */
function acceptedEncoding({ headers }: IncomingMessage): Encoding | undefined {
  const accepted = new Map(
    listItems(String(headers["accept-encoding"] ?? "").toLowerCase()).map((item) => {
      const [name = "", ...parameters] = item.split(";").map((part) => part.trim());
      const quality = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1";
      return [name, Number(quality) > 0] as const;
    }),
  );
  return ENCODINGS.find((encoding) => accepted.get(encoding) ?? accepted.get("*") ?? false);
}
