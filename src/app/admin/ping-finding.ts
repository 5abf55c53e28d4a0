/** Explains the result of a ping of a wallet in a sentence, with advice. */
import { RESULTS } from "../../../contract/wallet/results.ts";
import { type Currency, toDecimal } from "../../domain/values/money.ts";
import type { Ping, PingFault, PingReply, PingTimings, PingTrace } from "../../ports/wallet-ping.ts";

export interface PingFinding {
  /** The kind of result, for programs: `balance`, `player_not_found`, `signature_refused`, `tls` and so on. */
  readonly outcome: string;
  /** Whether the wallet accepted the signature and answered as a wallet must. */
  readonly ok: boolean;
  /** The result and the advice, for people. */
  readonly text: string;
}

const finding = (outcome: string, text: string): PingFinding => ({ outcome, ok: false, text });

export const pingFinding = (ping: Ping, currency: Currency): PingFinding =>
  ping.fault === null ? ofReply(ping.reply, ping, currency) : ofFault(ping.fault, ping.timings);

const day = (ms: number): string => Temporal.Instant.fromEpochMilliseconds(ms).toString().slice(0, 10);

function ofFault(fault: PingFault, timings: PingTimings): PingFinding {
  switch (fault.at) {
    case "wallet_url":
      return finding(
        "wallet_url",
        `The merchant's wallet_url can't be called: ${fault.rule}. Set it with merchant set.`,
      );
    case "address":
      return finding(
        "address",
        `${fault.message}. A wallet needs public addresses only: correct its DNS, or set another wallet_url.`,
      );
    case "dns":
      return NO_SUCH_HOST.has(fault.code)
        ? finding("dns", "DNS: no such host. Is the name in wallet_url right, and does it have an A or AAAA record?")
        : finding("dns", `DNS: the name was not resolved (${fault.code}). Do its name servers answer from outside?`);
    case "timeout":
      return finding("timeout", timeout(fault.afterMs, timings));
    case "tls":
      return finding("tls", `TLS: ${tls(fault)}`);
    case "connection":
      return finding("connection", broken(fault.code, fault.message, timings));
  }
}

const NO_SUCH_HOST = new Set(["ENOTFOUND", "ENODATA"]);

function timeout(afterMs: number, { dnsMs, connectMs, tlsMs, firstByteMs }: PingTimings): string {
  const after = `time-out after ${afterMs / 1_000} s`;
  if (connectMs === null)
    return dnsMs === null
      ? `${after}: DNS gave no answer, or no connection came about. Do the name servers answer, and does a firewall drop our packets?`
      : `${after}: no connection came about (DNS took ${dnsMs} ms). Does a firewall drop our packets?`;
  const got = `connected in ${connectMs} ms${tlsMs === null ? "" : `, TLS in ${tlsMs} ms`}`;
  return firstByteMs === null
    ? `${after} (${got}): no reply came. The wallet must answer within that time: look there for a request that hangs.`
    : `${after} (${got}, first byte after ${firstByteMs} ms): the reply did not come to its end.`;
}

function tls({ code, message, names, validTo }: Extract<PingFault, { at: "tls" }>): string {
  const shown = names ?? "no name";
  if (code === "CERT_HAS_EXPIRED")
    return `certificate expired${validTo === null ? "" : ` on ${day(validTo)}`}. Renew it, or the one above it in its chain.`;
  if (code === "CERT_NOT_YET_VALID") return "the certificate is not valid yet. Are the clocks right?";
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return `host name does not fit: the certificate is for ${shown}. Use a certificate for the name in wallet_url.`;
  if (code === "DEPTH_ZERO_SELF_SIGNED_CERT" || code === "SELF_SIGNED_CERT_IN_CHAIN")
    return "the certificate is self-signed, or its authority is. Use one of a public authority.";
  if (code.startsWith("UNABLE_TO_"))
    return "the certificate's authority is unknown. Send the whole chain, with the intermediate certificates.";
  if (code === "ERR_SSL_WRONG_VERSION_NUMBER" || code === "ERR_SSL_PACKET_LENGTH_TOO_LONG")
    return "the port does not speak TLS. Is it the right port, and is https meant?";
  return `the handshake failed (${code}: ${message}).`;
}

function broken(code: string, message: string, { connectMs }: PingTimings): string {
  if (code === "ECONNREFUSED") return "connection refused: nothing listens on the port, or a firewall rejects us.";
  if (code === "too_large") return "the reply is longer than a wallet's may be (64 KiB). Is the path right?";
  const when = connectMs === null ? "no connection came about" : "the connection broke before the reply was complete";
  return `${when} (${code === "" ? message : code}). Look at the wallet's server and the proxies before it.`;
}

function ofReply({ status, answer, start }: PingReply, { timings, path }: PingTrace, currency: Currency): PingFinding {
  const begins = start === "" ? "its body is empty" : `first bytes: ${start}`;
  if (answer.kind === "accepted")
    return {
      outcome: "balance",
      ok: true,
      text: `balance ${balance(answer.balanceMinor, currency)}, answered in ${timings.totalMs} ms. Signature and path are right.`,
    };
  const error = answer.kind === "rejected" ? answer.error : null;
  if (error === "PLAYER_NOT_FOUND")
    return { outcome: "player_not_found", ok: true, text: "player not found: signature and path are right." };
  if (status === 401 || (error !== null && /SIGNATURE|UNAUTHORI[SZ]ED/.test(error)))
    return finding(
      "signature_refused",
      `${status}: your wallet refused our signature. It must verify over "<X-Timestamp>.<X-Nonce>.POST.${path}.<raw body>", with the merchant's secret as it was shown. ${capitalised(error === null ? begins : `its code is ${error}`)}.`,
    );
  if (answer.kind === "rejected")
    return {
      outcome: "rejected",
      ok: true,
      text: `${status}: rejected with ${answer.error}. Signature and path are likely right; a balance query is only rejected for an unknown player.`,
    };
  if (status >= 300 && status < 400)
    return finding("redirect", `${status}: a redirect, which is never followed. Set wallet_url to the last address.`);
  if (status === 404 || status === 405)
    return finding("not_found", `${status}: is the path right? We called POST ${path}; ${begins}`);
  if (status === 403)
    return finding(
      "forbidden",
      `403: does a firewall or an IP list before the wallet refuse us? ${capitalised(begins)}`,
    );
  if (status >= 500)
    return finding(
      "http_5xx",
      `${status}: the wallet failed. Its log says why, under our X-Request-Id. ${capitalised(begins)}`,
    );
  if (answer.coding !== null)
    return finding(
      answer.cause,
      `${status}, but the reply has Content-Encoding ${answer.coding}. Our request says Accept-Encoding: identity, and the reply must not be encoded. Does the wallet's server or a proxy before it compress every reply?`,
    );
  const { ping, meaning } = RESULTS[answer.cause];
  return finding(answer.cause, `${status} ${ping ?? `but ${meaning}`}: ${begins}`);
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const balance = (minor: bigint | null, currency: Currency): string =>
  minor === null ? "beyond what can be stored" : `${toDecimal(minor, currency)} ${currency}`;
