/** A merchant's site with pages for the browser to measure. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A screenshot of the sportsbook. The same content as one image is the base of the comparison. */
const IMAGE = "docs/pictures/sportsbook.jpg";

export class MerchantSite {
  readonly #page: PageServer;
  /** Serves the frame with the image from an origin of its own, as the sportsbook has one. */
  readonly #frame: PageServer;

  private constructor(page: PageServer, frame: PageServer) {
    this.#page = page;
    this.#frame = frame;
  }

  static async open(): Promise<MerchantSite> {
    return new MerchantSite(await PageServer.open(), await PageServer.open());
  }

  /** The origin for browsers, which a brand may allow. */
  get origin(): string {
    return this.#page.origin;
  }

  /**
   * Adds two pages: `/library` embeds the sportsbook, and `/image` has an iframe of another origin with only one image.
   */
  show(sportsbook: string, brand: string): void {
    const page = (path: string, content: string) => this.#page.add(path, "text/html", content);
    const body = '<div id="target" style="height: 800px"></div>';
    page(
      "/library",
      `<!doctype html><title>Merchant</title><script src="${sportsbook}/sb-renderer.min.js"></script>${body}<script>new SBRenderer().initialize({ target: document.getElementById("target"), brand_id: "${brand}" })</script>`,
    );
    page(
      "/image",
      `<!doctype html><title>Merchant</title>${body}<script>document.getElementById("target").innerHTML = '<iframe src="${this.#frame.origin}/" style="width: 100%; height: 100%; border: 0"></iframe>'</script>`,
    );
    this.#frame.add("/", "text/html", '<!doctype html><title>Image</title><img src="/image.jpg" style="width: 100%">');
    this.#frame.add("/image.jpg", "image/jpeg", readFileSync(IMAGE));
  }

  close(): void {
    this.#page.close();
    this.#frame.close();
  }
}

/** Serves pages and pictures. The browser caches pictures, but requests a page again each time, as in production. */
class PageServer {
  readonly #files = new Map<string, { readonly type: string; readonly content: string | Buffer }>();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer(({ url = "/" }, response) => {
      const file = this.#files.get(url);
      if (file === undefined) return void response.writeHead(404).end();
      const cache = file.type === "text/html" ? "no-store" : "public, max-age=600";
      response.writeHead(200, { "content-type": file.type, "cache-control": cache }).end(file.content);
    });
  }

  static async open(): Promise<PageServer> {
    const server = new PageServer();
    server.#server.listen(0, "127.0.0.1");
    await once(server.#server, "listening");
    return server;
  }

  get origin(): string {
    return `http://localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  add(path: string, type: string, content: string | Buffer): void {
    this.#files.set(path, { type, content });
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
