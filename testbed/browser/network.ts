/** The requests of a page, counted by the browser's own network events. */
import type { CDPSession, Page } from "playwright-core";

/** A request, and the size of its answer in encoded bytes: headers and body. */
interface Loaded {
  readonly url: URL;
  readonly bytes: number;
  readonly fromCache: boolean;
}

/** Records the requests of a page and of its frames from the same site. */
export class Network {
  readonly #cdp: CDPSession;
  readonly #requests = new Map<string, { readonly url: URL; bytes: number; fromCache: boolean }>();

  private constructor(cdp: CDPSession) {
    this.#cdp = cdp;
  }

  static async watch(page: Page): Promise<Network> {
    const network = new Network(await page.context().newCDPSession(page));
    await network.#listen();
    return network;
  }

  /** The requests so far to an origin. An answer that is not complete counts with the bytes that have arrived. */
  to(origin: string): readonly Loaded[] {
    return [...this.#requests.values()].filter(({ url }) => url.origin === origin);
  }

  /** Empties the browser's cache and the list of requests. */
  async forget(): Promise<void> {
    await this.#cdp.send("Network.clearBrowserCache");
    this.#requests.clear();
  }

  async #listen(): Promise<void> {
    const requests = this.#requests;
    this.#cdp.on("Network.requestWillBeSent", ({ requestId, request }) => {
      requests.set(requestId, { url: new URL(request.url), bytes: 0, fromCache: false });
    });
    this.#cdp.on("Network.requestServedFromCache", ({ requestId }) => {
      const request = requests.get(requestId);
      if (request !== undefined) request.fromCache = true;
    });
    this.#cdp.on("Network.responseReceived", ({ requestId, response }) => {
      const request = requests.get(requestId);
      if (request === undefined) return;
      request.bytes += response.encodedDataLength;
      if (response.fromDiskCache) request.fromCache = true;
    });
    this.#cdp.on("Network.dataReceived", ({ requestId, encodedDataLength }) => {
      const request = requests.get(requestId);
      if (request !== undefined) request.bytes += encodedDataLength;
    });
    this.#cdp.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
      const request = requests.get(requestId);
      if (request !== undefined && encodedDataLength > 0) request.bytes = encodedDataLength;
    });
    await this.#cdp.send("Network.enable");
  }
}
