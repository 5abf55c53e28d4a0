/** Calls to a provider's own servers: launches and lists of games. */
import { Agent, request } from "undici";

/** The provider answered with an error, or not at all. The message has no body and no secret. */
class CallFailed extends Error {
  override readonly name = "CallFailed";
}

export interface OutgoingCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** undefined: the call is a GET. */
  readonly body?: string | Buffer;
  readonly timeoutMs: number;
}

const ANSWER_MAX_BYTES = 64 * 1024 * 1024;

/** No proxy of a variable counts: the agent is made here. */
const agent = new Agent({ maxResponseSize: ANSWER_MAX_BYTES });

/** Posts a body, or gets an address, and returns the text of the answer with status 200. @throws CallFailed */
export async function post({ url, headers, body, timeoutMs }: OutgoingCall): Promise<string> {
  try {
    const answer = await request(url, {
      method: body === undefined ? "GET" : "POST",
      headers,
      body: body ?? null,
      dispatcher: agent,
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await answer.body.text();
    if (answer.statusCode === 200) return text;
    throw new CallFailed(`the provider answered with HTTP ${answer.statusCode}: ${text.slice(0, 200)}`);
  } catch (cause) {
    if (cause instanceof CallFailed) throw cause;
    throw new CallFailed(`the provider did not answer: ${cause instanceof Error ? cause.name : "unknown"}`);
  }
}

/** The `url` in the answer to a launch call. */
export function urlIn(answer: string): string {
  const url = (JSON.parse(answer) as { url?: unknown } | null)?.url;
  if (typeof url !== "string") throw new Error("the provider's answer has no url");
  return url;
}

/** An address with these parameters. Those without a value are left out. */
export function withQuery(url: string, parameters: Readonly<Record<string, string>>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== "");
  return `${url}?${new URLSearchParams(given)}`;
}
