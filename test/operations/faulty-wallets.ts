/** Merchants whose wallets are set up wrongly, or answer against their contract. Each raises an alert of its own. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { merchantRecord, UNLIMITED } from "../../testbed/directory/records.ts";
import type { Scope, startWorldOfProcesses } from "../../testbed/stage/world.ts";
import { until } from "./monitoring.ts";

type World = Awaited<ReturnType<typeof startWorldOfProcesses>>;
type Wallet = (action: string, response: ServerResponse) => void;

const json = (response: ServerResponse, body: object) => void response.end(JSON.stringify(body));

/** The wallets of one server, by their path. */
const WALLETS: Readonly<Record<string, Wallet>> = {
  redirects: (_, response) => void response.writeHead(302, { location: "/elsewhere" }).end(),
  "many-decimals": (_, response) => json(response, { ok: true, balance: 1.23456 }),
  // It accepts a bet, and does not know it when the refund comes.
  forgets: (action, response) =>
    json(response, action === "refund" ? { ok: false, error: "TRANSACTION_NOT_FOUND" } : { ok: true, balance: 1 }),
  // It never answers a bet, and rejects its refund.
  "refuses-refunds": (action, response) =>
    action === "refund" ? json(response, { ok: false, error: "REJECTED" }) : void response.destroy(),
};

/** Adds a merchant for each wallet, and two with a wrong address. Resolves to their sessions when the service knows them. */
export async function addFaultyWallets(t: Scope, world: World): Promise<ReadonlyMap<string, string>> {
  const server = createServer((request, response) => void answer(request, response));
  t.teardown(() => void server.close().closeAllConnections());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const urls = new Map(Object.keys(WALLETS).map((name) => [name, `http://127.0.0.1:${port}/${name}`]));
  // This server does not speak TLS.
  urls.set("no-tls", `https://127.0.0.1:${port}/wallet`);
  // The name server of the test gives every name a link-local address.
  urls.set("refused-address", "http://wallet.example/wallet");
  const sessions = new Map<string, string>();
  for (const [code, walletUrl] of urls) {
    const secret = `sk_${code}`;
    world.secrets.set(code, secret);
    const merchant = merchantRecord(code, { brand: "shop", walletUrl, products: ["slot"], secret, limits: UNLIMITED });
    await world.settings.save({ kind: "merchant", merchant });
    await until(`the service knows the merchant ${code}`, async () => {
      sessions.set(code, await world.session(code));
      return true;
    });
  }
  return sessions;
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const { action } = JSON.parse(Buffer.concat(parts).toString()) as { action: string };
  WALLETS[(request.url ?? "").slice(1)]?.(action, response);
}
