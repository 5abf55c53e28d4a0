import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { ERRORS } from "../../../domain/errors.ts";
import { discardBody } from "../../http/raw-body.ts";
import { ConsoleBuilder } from "./console-builder.ts";
import { CONSOLE, ConsolePages } from "./console-pages.ts";
import { isApiContent, isFromOwnPage } from "./own-page.ts";
import { sessionIn } from "./session-cookie.ts";
import type { SessionEndpoint } from "./session-endpoint.ts";

/** The folder into which `npm run build:console` writes its builds. */
const BUILDS = join(import.meta.dirname, "../../../../dist/console");
const CODE = "FOREIGN_PAGE";

/** The console: its pages, its sign-in, and the rules for calls that its page makes. */
export class ConsoleSite {
  readonly #session: SessionEndpoint;
  readonly #pages: ConsolePages;

  /**
   * @param sportsbookUrl - the sportsbook whose pages the preview of a brand shows; null: there is none.
   * @param builds - the folder of the console's builds, which need not exist.
   */
  constructor(session: SessionEndpoint, sportsbookUrl: string | null, builds = BUILDS, builder = new ConsoleBuilder()) {
    this.#session = session;
    this.#pages = new ConsolePages(builds, sportsbookUrl, builder);
  }

  /** Answers a request for an address under /console. Returns `false` for any other request. */
  answers(request: IncomingMessage, response: ServerResponse): boolean {
    const [path = ""] = (request.url ?? "").split("?", 1);
    if (path !== `${CONSOLE}session` && path.startsWith(CONSOLE.slice(0, -1))) discardBody(request);
    if (path === CONSOLE.slice(0, -1)) response.writeHead(308, { Location: CONSOLE }).end();
    else if (path === `${CONSOLE}session`) void this.#session.answer(request, response);
    else if (path.startsWith(CONSOLE)) void this.#page(path, request, response);
    else return false;
    return true;
  }

  /**
   * Refuses a call with the console's cookie that cannot come from a page of the console. Returns whether it has
   * refused the call. A call with an admin key is accepted, because no browser adds a key to a request.
   */
  refuses(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.headers.authorization !== undefined || sessionIn(request) === undefined) return false;
    if (isFromOwnPage(request) && isApiContent(request)) return false;
    // The reply has the form of Connect's errors, so that a client shows the message.
    const headers = { "Content-Type": "application/json", "X-Content-Type-Options": "nosniff", "error-code": CODE };
    response.writeHead(ERRORS[CODE].http, headers);
    response.end(JSON.stringify({ code: "permission_denied", message: `${CODE}: ${ERRORS[CODE].text.en}` }));
    return true;
  }

  async #page(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.#pages.answer(path, request, response);
    } catch {
      response.writeHead(500).end();
    }
  }
}
