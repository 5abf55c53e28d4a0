/** The ways in which a wallet goes wrong: whether the money moved, and what the service gets to see of it. */
import type { ServerResponse } from "node:http";
import type { Reply } from "./ledger.ts";

export type Fault =
  /** Works. */
  | { readonly kind: "none" }
  /** Applies at once, replies after `ms`. */
  | { readonly kind: "slow"; readonly ms: number }
  /** Applies after `ms`, whether or not the service still waits, then replies. */
  | { readonly kind: "applied_late"; readonly ms: number }
  /** Without `applies`, each kind does what {@link APPLIES} says of it. */
  | { readonly kind: Exclude<FaultKind, "none" | "slow" | "applied_late">; readonly applies?: boolean };

export type FaultKind = "none" | "slow" | "applied_late" | "rejected" | keyof typeof APPLIES;

/** Faults by whether the transaction reaches the ledger (by default). */
const APPLIES = {
  /** Never replies. */
  silent: false,
  /** As silent, but the money moved. */
  applied_no_reply: true,
  /** Status 500 with a well-formed success. */
  http_500: false,
  /** Status 200 with a web page. */
  html: false,
  /** Status 200 with bytes that are no JSON. */
  garbage: false,
  /** A TCP reset instead of a reply. */
  reset: false,
  /** The connection ends in the middle of the reply. */
  truncated: true,
  /** A reply without an end. */
  endless: true,
} as const;

export const NO_FAULT: Fault = { kind: "none" };

/** What a fault may do with a callback. */
export interface Scene {
  /** Lets the ledger judge it. */
  readonly apply: () => Reply;
  /** Tells the outside what the ledger said; null: it wasn't asked. Each callback is reported once. */
  readonly report: (reply: Reply | null) => void;
  readonly send: (reply: Reply) => void;
}

/** Answers a callback, rightly or as the fault has it. */
export function play(fault: Fault, response: ServerResponse, scene: Scene): void {
  const judge = (): Reply => {
    const reply = scene.apply();
    scene.report(reply);
    return reply;
  };
  switch (fault.kind) {
    case "none":
      return scene.send(judge());
    case "slow": {
      const reply = judge();
      return void setTimeout(() => scene.send(reply), fault.ms);
    }
    case "applied_late":
      return void setTimeout(() => scene.send(judge()), fault.ms);
    case "rejected": {
      // Answers without looking.
      const reply: Reply = { ok: false, error: "REJECTED" };
      scene.report(reply);
      return scene.send(reply);
    }
    default:
      if (fault.applies ?? APPLIES[fault.kind]) judge();
      else scene.report(null);
      return spoil(fault.kind, response);
  }
}

function spoil(kind: keyof typeof APPLIES, response: ServerResponse): void {
  switch (kind) {
    case "silent":
    case "applied_no_reply":
      return;
    case "http_500":
      return void response.writeHead(500, { "content-type": "application/json" }).end('{"ok":true,"balance":1}');
    case "html":
      return void response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Maintenance</title>");
    case "garbage":
      return void response.writeHead(200, { "content-type": "application/json" }).end(Buffer.from([0x7b, 0xff, 0x00, 0x22, 0x6f]));
    case "reset":
      return void response.socket?.resetAndDestroy();
    case "truncated":
      response.writeHead(200, { "content-type": "application/json", "content-length": 100 }).write('{"ok":true,');
      return void setTimeout(() => response.destroy(), 10);
    case "endless":
      return endless(response);
  }
}

/** Writes for as long as somebody reads. */
function endless(response: ServerResponse): void {
  const chunk = Buffer.alloc(16_384, " ");
  const more = (): void => {
    while (!response.destroyed && response.write(chunk));
  };
  response.writeHead(200, { "content-type": "application/json" }).on("drain", more);
  more();
}
