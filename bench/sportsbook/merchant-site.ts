/** A merchant's site with pages for the browser to measure. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A screenshot of the sportsbook. The same content as one image is the base of the comparison. */
const IMAGE = "docs/pictures/sportsbook.jpg";

export class MerchantSite {
  readonly #pages = new Map<string, { readonly type: string; readonly content: string | Buffer }>();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer(({ url = "/" }, response) => {
      const page = this.#pages.get(url);
      if (page === undefined) return void response.writeHead(404).end();
      response.writeHead(200, { "content-type": page.type, "cache-control": "public, max-age=600" }).end(page.content);
    });
  }

  static async open(): Promise<MerchantSite> {
    const site = new MerchantSite();
    site.#server.listen(0, "127.0.0.1");
    await once(site.#server, "listening");
    return site;
  }

  /** The origin for browsers, which a brand may allow. */
  get origin(): string {
    return `http://localhost:${this.#port}`;
  }

  /**
   * Adds two pages: `/library` embeds the sportsbook, and `/image` has an iframe of another origin with only one image.
   */
  show(sportsbook: string, brand: string): void {
    const page = (path: string, content: string) => this.#pages.set(path, { type: "text/html", content });
    const body = '<div id="target" style="height: 800px"></div>';
    page(
      "/library",
      `<!doctype html><title>Merchant</title><script src="${sportsbook}/sb-renderer.min.js"></script>${body}<script>new SBRenderer().initialize({ target: document.getElementById("target"), brand_id: "${brand}" })</script>`,
    );
    page(
      "/image",
      `<!doctype html><title>Merchant</title>${body}<script>document.getElementById("target").innerHTML = '<iframe src="http://127.0.0.1:${this.#port}/frame" style="width: 100%; height: 100%; border: 0"></iframe>'</script>`,
    );
    page("/frame", '<!doctype html><title>Image</title><img src="/image.jpg" style="width: 100%">');
    this.#pages.set("/image.jpg", { type: "image/jpeg", content: readFileSync(IMAGE) });
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  get #port(): number {
    return (this.#server.address() as AddressInfo).port;
  }
}
