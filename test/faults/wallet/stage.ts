/**
 * The service as its own process, and a wallet for each row, with its own fault, name, port, certificate and merchant.
 */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { merchantRecord, UNLIMITED } from "../../../testbed/directory/records.ts";
import { type DnsAnswer, startNameServer } from "../../../testbed/programs/name-server.ts";
import { type Scope, startWorldOfProcesses, type WorldOptions } from "../../../testbed/stage/world.ts";
import { makeAuthority } from "../../adapters/wallet-http/certificates.ts";
import { Bank } from "./peer/bank.ts";
import { type Front, openFront } from "./peer/front.ts";
import { ROWS } from "./rows/catalogue.ts";
import { CANARY } from "./rows/misbehaviours.ts";
import type { Pace, Row, Setting } from "./rows/row.ts";

/** A merchant whose wallet has the row's fault. */
export interface Mounted {
  readonly row: Row;
  readonly code: string;
  readonly sessionId: string;
  /** Switches the fault off, or on again. */
  heal(healed: boolean): void;
}

/** The service's record of a transaction at the end. */
export interface TransactionView {
  readonly status: string;
  readonly error: string | null;
  readonly attempts: number;
  readonly attempt_log: readonly { readonly result: string; readonly duration_ms: number }[];
}

export type Stage = Awaited<ReturnType<typeof openStage>>;

export async function openStage(scope: Scope, pace: Pace, { env = {}, databaseUrl }: WorldOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), "wallet-faults-"));
  scope.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const authority = makeAuthority("Wallets' CA");
  const caFile = join(folder, "ca.pem");
  writeFileSync(caFile, authority.pem);

  const names = new Map<string, (type: "A" | "AAAA") => DnsAnswer>();
  const dns = await startNameServer((name, type) => names.get(name)?.(type) ?? { addresses: ["127.0.0.1"] });
  scope.teardown(() => dns.close());
  const nobody = await openFront(authority, {
    host: "trap",
    healed: () => true,
    serve: () => undefined,
    leaked: () => undefined,
  });
  scope.teardown(() => nobody.close());
  const setting: Setting = { ...pace, trapUrl: `http://127.0.0.1:${nobody.port}/` };

  const world = await startWorldOfProcesses(scope, {
    ...(databaseUrl !== undefined && { databaseUrl }),
    env: {
      WALLET_TIMEOUT_MS: String(pace.timeoutMs),
      WALLET_DNS_SERVERS: dns.address,
      NODE_EXTRA_CA_CERTS: caFile,
      RESEND_FIRST_DELAY_MS: "200",
      ...env,
    },
  });
  const bank = new Bank((merchant) => world.secrets.get(merchant) ?? "");

  /** A merchant with its player and a session of the game. */
  const merchant = async (code: string, walletUrl: string): Promise<string> => {
    bank.open(code);
    const secret = `sk_${randomBytes(32).toString("base64url")}`;
    world.secrets.set(code, secret);
    const limits = { ...UNLIMITED, walletConcurrency: 256 };
    const record = merchantRecord(code, { brand: "shop", walletUrl, products: ["slot"], secret, limits });
    await world.settings.save({ kind: "merchant", merchant: record });
    return world.session(code);
  };

  const mount = async (row: Row, n: number): Promise<Mounted> => {
    const code = `${row.id}-${n}`.toLowerCase();
    const host = `${code}.example`;
    let healed = false;
    const below = row.tls !== undefined || row.dns !== undefined || row.connection !== undefined;
    const behaviour = {
      misbehave: row.reply?.(setting),
      healed: () => healed,
      applies: row.applies ?? false,
      sound: row.outcome !== "pending",
      closes: below,
      toRepeats: row.toRepeats,
      idleMs: row.idleMs,
    };
    const front: Front = await openFront(authority, {
      host,
      tls: row.tls,
      connection: row.connection,
      healed: () => healed,
      serve: (socket) => bank.serve(socket, behaviour),
      leaked: (what) => bank.violations.push(`${row.id}, ${row.what}: ${what}`),
    });
    scope.teardown(() => front.close());
    const faultyName = row.dns?.(setting);
    if (faultyName !== undefined) names.set(host, (type) => (healed ? { addresses: ["127.0.0.1"] } : faultyName(type)));
    const sessionId = await merchant(
      code,
      `${row.tls === undefined ? "http" : "https"}://${host}:${front.port}/wallet`,
    );
    return { row, code, sessionId, heal: (on) => void (healed = on) };
  };

  const mounted: Mounted[] = [];
  return {
    world,
    bank,
    pace,
    authority,
    /** The name server, `address:port`. */
    dns: dns.address,
    /** The answers for names. All other names lead to 127.0.0.1. */
    names,
    merchant,
    mounted,
    /** The violations of rules that hold for every row. */
    async never(): Promise<readonly string[]> {
      const metrics = await (await fetch(`http://127.0.0.1:${world.first.ports.internalHttp}/metrics`)).text();
      const shown = (metrics + world.first.output()).toLowerCase().includes(CANARY);
      const redirected = nobody.accepted() > 0 ? [`${nobody.accepted()} connections where redirects lead`] : [];
      return [
        ...bank.violations,
        ...redirected,
        ...(shown ? ["what a wallet said is in the logs or the metrics"] : []),
      ];
    },
    /** Mounts the rows that are wanted. */
    async mount(wanted: readonly Row[] = ROWS): Promise<readonly Mounted[]> {
      for (const row of wanted) mounted.push(await mount(row, mounted.length + 1));
      return mounted.slice(-wanted.length);
    },
    /** The transaction as the merchant sees it. Repeats while the call is rate limited. */
    async readTransaction(code: string, txId: string): Promise<TransactionView> {
      for (;;) {
        const reply = await world.rest(
          "GET",
          `/v1/transactions/${encodeURIComponent(`ACME:${txId}`)}`,
          undefined,
          code,
        );
        if (reply.ok) return reply.data as TransactionView;
        if (reply.code !== "RATE_LIMITED" && reply.code !== "SERVICE_UNAVAILABLE")
          throw new Error(`${code} ${txId}: ${reply.code}`);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    },
    /** Names of the alerts that the service raised about the merchant. */
    alerts: (code: string): string[] =>
      world.first
        .output()
        .split("\n")
        .filter((line) => line.includes('"alert"') && line.includes(`"${code}"`))
        .map((line) => String(JSON.parse(line).alert)),
  };
}
