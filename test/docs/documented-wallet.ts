import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { checkout, type Lifetime } from "./markdown.ts";

interface WalletCode {
  createWallet(
    merchants: Record<string, { secret: string; currency: string }>,
    file: string,
  ): { db: DatabaseSync; server: Server };
}

/** The wallet of docs/merchant-wallet.md, in memory and on a free port. `folder` has the code of the merchants' guides. */
export async function startDocumentedWallet(t: Lifetime, merchants: Parameters<WalletCode["createWallet"]>[0]) {
  const folder = checkout(t, "docs/merchant.md", "docs/merchant-wallet.md", "docs/reconciliation.md");
  const { createWallet } = (await import(join(folder, "wallet.mjs"))) as WalletCode;
  const { db, server } = createWallet(merchants, ":memory:");
  await once(server.listen(0, "127.0.0.1"), "listening");
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
    db.close();
  });
  const addPlayer = (merchant: string, id: string, blocked = false): void =>
    void db
      .prepare("INSERT INTO players (merchant, player_id, balance, blocked) VALUES (?, ?, 10000, ?)")
      .run(merchant, id, Number(blocked));
  return { folder, db, server, addPlayer, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
