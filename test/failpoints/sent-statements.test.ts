import test from "ava";
import { openDatabase } from "../../src/adapters/sql/connection/database.ts";
import { SqlTransactionStore } from "../../src/adapters/sql/transactions/transaction-store.ts";
import { wholeMs } from "../../src/domain/values/whole-ms.ts";
import type { ClaimLine } from "../../src/ports/transactions/transaction-store.ts";
import { watchStatements, whenSent } from "../../testbed/failpoints/sent-statements.ts";
import { freshMerchants, serverReplicas } from "../adapters/sql/stores.ts";
import { contentOf, id } from "../contracts/content.ts";

const replicas = serverReplicas();

for (const as of ["leased", "void"] as const)
  test(`the sending of a claim is noticed with all its lines, whichever connections it uses: ${as} rows`, async (t) => {
    const { url, game } = await replicas;
    const database = openDatabase(url);
    t.teardown(() => database.close());
    watchStatements(database);
    const { merchantId } = freshMerchants();
    const lines = ["a", "b", "c"].map(
      (own, i): ClaimLine => ({
        content: contentOf({ merchantId, game }, { txId: id(own) }),
        token: `${i + 1}`.padStart(32, "e"),
        as,
        leaseMs: wholeMs(60_000),
      }),
    );
    const sent: string[][] = [];
    await whenSent(
      (tokens) => void sent.push([...tokens].sort()),
      () => new SqlTransactionStore(database).claim(lines),
    );
    t.deepEqual(sent, [lines.map(({ token }) => token)]);
  });
