/** The faults of a wallet: whether the money moves, and which reply the service gets. */
import type { ServerResponse } from "node:http";
import type { Reply } from "./ledger.ts";

export type Fault =
  /** No fault. */
  | { readonly kind: "none" }
  /** Applies at once, replies after `ms`. */
  | { readonly kind: "slow"; readonly ms: number }
  /** Applies after `ms`, whether or not the service still waits, then replies. */
  | { readonly kind: "applied_late"; readonly ms: number }
  /** `applies`: whether the transaction reaches the ledger. Default: {@link APPLIES}. */
  | { readonly kind: Exclude<FaultKind, "none" | "slow" | "applied_late">; readonly applies?: boolean };

export type FaultKind = "none" | "slow" | "applied_late" | "rejected" | keyof typeof APPLIES;

/** By fault: whether the transaction reaches the ledger by default. */
const APPLIES = {
  /** Never replies. */
  silent: false,
  /** Never replies, but the money moves. */
  applied_no_reply: true,
  /** Status 500 with a well-formed success. */
  http_500: false,
  /** Status 200 with a web page. */
  html: false,
  /** Status 200 with bytes that are not JSON. */
  garbage: false,
  /** A TCP reset instead of a reply. */
  reset: false,
  /** The connection ends in the middle of the reply. */
  truncated: true,
  /** A reply that never ends. */
  endless: true,
} as const;

export const NO_FAULT: Fault = { kind: "none" };

/** What a fault can do with a callback. */
export interface Scene {
  /** Passes the callback to the ledger. */
  readonly apply: () => Reply;
  /** Reports the ledger's reply; null: the ledger was not called. Each callback is reported once. */
  readonly report: (reply: Reply | null) => void;
  readonly send: (reply: Reply) => void;
}

/** Answers a callback correctly, or with the fault. */
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
      // Answers without calling the ledger.
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
      return void response
        .writeHead(200, { "content-type": "text/html" })
        .end("<!doctype html><title>Maintenance</title>");
    case "garbage":
      return void response
        .writeHead(200, { "content-type": "application/json" })
        .end(Buffer.from([0x7b, 0xff, 0x00, 0x22, 0x6f]));
    case "reset":
      return void response.socket?.resetAndDestroy();
    case "truncated":
      response.writeHead(200, { "content-type": "application/json", "content-length": 100 }).write('{"ok":true,');
      return void setTimeout(() => response.destroy(), 10);
    case "endless":
      return endless(response);
  }
}

/** Writes a reply without end, until the client stops reading. */
function endless(response: ServerResponse): void {
  const chunk = Buffer.alloc(16_384, " ");
  const more = (): void => {
    while (!response.destroyed && response.write(chunk));
  };
  response.writeHead(200, { "content-type": "application/json" }).on("drain", more);
  more();
}
