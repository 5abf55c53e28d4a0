/** Lets the provider's own test code play: one POST for each spin (docs/certify-provider.md#the-hook). */
import { Agent as HttpAgent, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { VERSION } from "../version.ts";
import { Driver, type Shown, type Spin, SpinFailed } from "./driver.ts";

/** How long one of several addresses may take. Node's own limit is half a second. */
const AGENT = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 2_500 };
/** Agents of our own use no proxy, whatever variables the environment has. */
const agents = { "http:": new HttpAgent(AGENT), "https:": new HttpsAgent(AGENT) };

function post(url: URL, body: string, withinMs: number): Promise<[status: number, text: string]> {
  const isHttps = url.protocol === "https:";
  return new Promise((resolve, reject) => {
    const headers = {
      "User-Agent": `certify-provider/${VERSION}`,
      "Accept-Encoding": "identity",
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(body),
    };
    const signal = AbortSignal.timeout(withinMs);
    const options = { method: "POST", headers, agent: agents[isHttps ? "https:" : "http:"], signal };
    const request = (isHttps ? requestHttps : requestHttp)(url, options, (response) => {
      response.setEncoding("utf8");
      let text = "";
      response.on("data", (part: string) => {
        text += part;
      });
      response.once("error", reject);
      response.once("end", () => resolve([response.statusCode ?? 0, text]));
    });
    request.once("error", (error) => reject(signal.aborted ? signal.reason : error));
    request.end(body);
  });
}

export class Hook extends Driver {
  override readonly atOnce: number;
  override readonly spinsUntilWin = false;
  override readonly clickMs = 0;
  readonly #url: URL;
  readonly #timeoutMs: number;

  constructor(url: URL, atOnce: number, timeoutMs: number) {
    super();
    this.#url = url;
    this.atOnce = atOnce;
    this.#timeoutMs = timeoutMs;
  }

  override async spin({ case: name, session, launchUrl }: Spin): Promise<Shown> {
    const body = {
      case: name,
      session_id: session.id,
      player_ref: session.player.ref,
      launch_url: launchUrl,
      game: session.game,
      currency: session.currency,
      demo: session.demo,
    };
    const [status, text] = await this.#post(JSON.stringify(body));
    if (status < 200 || status > 299)
      throw new SpinFailed(`${this.#url.href} answered HTTP ${status} ${text.slice(0, 300)}`);
    return this.#read(text);
  }

  async #post(body: string): Promise<[status: number, text: string]> {
    try {
      return await post(this.#url, body, this.#timeoutMs);
    } catch (cause) {
      const { message, code } = cause as NodeJS.ErrnoException;
      throw new SpinFailed(`${this.#url.href} did not answer: ${message || code}`);
    }
  }

  #read(text: string): Shown {
    if (text.trim() === "") return {};
    const fault = (why: string): SpinFailed =>
      new SpinFailed(`${this.#url.href} answered ${why}: ${text.slice(0, 300)}`);
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch {
      throw fault("with no JSON");
    }
    if (typeof parsed !== "object" || parsed === null) throw fault("with no JSON object");
    const { shown, bet_minor, win_minor } = parsed as Record<string, unknown>;
    if (shown !== undefined && shown !== "played" && shown !== "waiting" && shown !== "refused")
      throw fault("with a `shown` that is none of played, waiting and refused");
    const minor = (name: string, value: unknown): bigint | undefined => {
      if (value === undefined || value === null) return undefined;
      if (typeof value !== "number" || !Number.isSafeInteger(value))
        throw fault(`with a \`${name}\` that is not a whole number`);
      return BigInt(value);
    };
    const [betMinor, winMinor] = [minor("bet_minor", bet_minor), minor("win_minor", win_minor)];
    return {
      ...(shown !== undefined && { shown }),
      ...(betMinor !== undefined && { betMinor }),
      ...(winMinor !== undefined && { winMinor }),
    };
  }
}
