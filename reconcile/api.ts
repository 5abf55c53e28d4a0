/** A client of the signed operator API, like that of a merchant's server. */
import { randomBytes } from "node:crypto";
import { sign } from "../src/domain/signing/signing.ts";
import { VERSION } from "../src/domain/values/product.ts";
import { get } from "./request.ts";

export interface Credentials {
  /** The API's base, with /v1: `https://api.example/v1`. */
  readonly apiUrl: string;
  readonly merchant: string;
  readonly secret: string;
}

/** The API refused the request or could not be reached. */
export class ApiFault extends Error {
  override readonly name = "ApiFault";
  /** The refusal's error.code; null: there is no code. */
  readonly code: string | null;

  constructor(message: string, code: string | null = null) {
    super(message);
    this.code = code;
  }
}

const USER_AGENT = `game-aggregator-reconcile/${VERSION}`;
const TIMEOUT_MS = 30_000;
const TRIES_MAX = 8;
const PAUSE_MAX_MS = 30_000;

/**
 * Sends one signed GET and resolves to `data`. Repeats it after a pause when the service answers 429 or 5xx, or can't
 * be reached.
 *
 * @param target - path and query, beginning with /v1.
 * @throws ApiFault
 */
export async function getSigned({ apiUrl, merchant, secret }: Credentials, target: string): Promise<unknown> {
  for (let tries = 1; ; tries++) {
    const timestamp = String(Date.now());
    const nonce = randomBytes(16).toString("hex");
    const signature = sign(secret, { timestamp, nonce, method: "GET", target, body: "" });
    const headers = {
      "User-Agent": USER_AGENT,
      "Accept-Encoding": "identity",
      "X-Merchant-Id": merchant,
      "X-Timestamp": timestamp,
      "X-Nonce": nonce,
      "X-Signature": signature,
    };
    const reply = await get(new URL(apiUrl + target), headers, TIMEOUT_MS).catch((cause: Error) => cause);
    const again = reply instanceof Error || reply.status === 429 || reply.status >= 500;
    if (again && tries < TRIES_MAX) {
      const retryAfter = reply instanceof Error ? null : (reply.headers["retry-after"] ?? null);
      await new Promise((resolve) =>
        setTimeout(
          resolve,
          retryAfter === null ? Math.min(PAUSE_MAX_MS, 100 * 2 ** tries) : Number(retryAfter) * 1_000,
        ),
      );
      continue;
    }
    if (reply instanceof Error) throw new ApiFault(`${apiUrl} could not be reached: ${reply.message}`);
    const coding = reply.headers["content-encoding"] ?? "identity";
    if (coding.toLowerCase() !== "identity")
      throw new ApiFault(
        `${apiUrl} answered ${reply.status} with Content-Encoding ${coding}, which this tool does not ask for. Does a proxy compress every reply?`,
      );
    const envelope = parsed(reply.text);
    if (envelope?.success === true) return envelope.data;
    const { code = "no JSON", details } = envelope?.error ?? {};
    throw new ApiFault(
      `${apiUrl} answered ${reply.status} ${code}${details === undefined ? "" : ` ${JSON.stringify(details)}`}`,
      code,
    );
  }
}

interface Envelope {
  readonly success?: boolean;
  readonly data?: unknown;
  readonly error?: { readonly code: string; readonly details?: unknown };
}

/** null: the text is not JSON. */
function parsed(text: string): Envelope | null {
  try {
    return JSON.parse(text) as Envelope | null;
  } catch {
    return null;
  }
}
