/** Lets the provider's own test code play: one POST for each spin (docs/certify-provider.md#the-hook). */
import { Driver, type Shown, type Spin, SpinFailed } from "./driver.ts";

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
      const response = await fetch(this.#url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
        signal: AbortSignal.timeout(this.#timeoutMs),
      });
      return [response.status, await response.text()];
    } catch (cause) {
      const { cause: inner, message } = cause as Error;
      const why = inner instanceof Error ? inner.message || (inner as NodeJS.ErrnoException).code : message;
      throw new SpinFailed(`${this.#url.href} did not answer: ${why}`);
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
