/**
 * One GET by Node's own HTTP client. Unlike fetch it reads an unexpected 100 Continue before the reply, follows no
 * redirect with the signature's headers, and uses no proxy of NODE_USE_ENV_PROXY: an agent of its own reads no variable.
 */
import { get as getHttp, Agent as HttpAgent, type IncomingMessage } from "node:http";
import { get as getHttps, Agent as HttpsAgent } from "node:https";

export interface Reply {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
}

/** How long one of several addresses may take. Node's own limit is half a second. */
const OPTIONS = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 5_000 };
/** Each request has a connection of its own, so that no reply can be that of another request. */
const agents = { "http:": new HttpAgent(OPTIONS), "https:": new HttpsAgent(OPTIONS) };

/** Resolves to the reply. Rejects if there is none within the time. */
export function get(url: URL, headers: Readonly<Record<string, string>>, withinMs: number): Promise<Reply> {
  const isHttps = url.protocol === "https:";
  return new Promise((resolve, reject) => {
    const options = { headers, agent: agents[isHttps ? "https:" : "http:"], signal: AbortSignal.timeout(withinMs) };
    const request = (isHttps ? getHttps : getHttp)(url, options, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("error", reject);
      response.once("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString("utf8"),
        }),
      );
    });
    request.once("error", (error) => reject(options.signal.aborted ? options.signal.reason : error));
  });
}
