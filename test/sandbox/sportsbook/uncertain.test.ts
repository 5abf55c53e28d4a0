import { fileURLToPath } from "node:url";
import grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import test, { type ExecutionContext } from "ava";
import { Cashier } from "../../../sandbox/sportsbook/cashier.ts";
import { Book } from "../../../sandbox/sportsbook/model/book.ts";
import { type ExchangedSession, SportsbookClient } from "../../../sandbox/sportsbook/service-client.ts";
import { Slips } from "../../../sandbox/sportsbook/slips.ts";

const PROTO = fileURLToPath(new URL("../../../proto/", import.meta.url));
const SELECTION = "liga-do-sol-0:result:0:home";

/**
 * Starts a service that accepts every request. It answers the first request for a transaction with this error, and
 * repeats of the request correctly.
 */
async function start(t: ExecutionContext, code: grpc.status, errorCode: string) {
  const loaded = grpc.loadPackageDefinition(
    loadSync("aggregator/sportsbook/v1/bet_service.proto", { includeDirs: [PROTO], keepCase: true, longs: String }),
  );
  const { BetService } = (
    loaded as unknown as { aggregator: { sportsbook: { v1: Record<string, grpc.ServiceClientConstructor> } } }
  ).aggregator.sportsbook.v1;
  const heard: string[] = [];
  const answer =
    (id: "slip_id" | "tx_id"): grpc.handleUnaryCall<Record<string, string>, object> =>
    ({ request }, reply) => {
      heard.push(request[id] ?? "");
      if (heard.indexOf(request[id] ?? "") < heard.length - 1)
        return reply(null, { status: "TRANSACTION_STATUS_SUCCESS", balance_minor: "500" });
      const metadata = new grpc.Metadata();
      if (errorCode !== "") metadata.set("error-code", errorCode);
      reply({ code, metadata });
    };
  const server = new grpc.Server();
  server.addService((BetService as grpc.ServiceClientConstructor).service, {
    PlaceBetslip: answer("slip_id"),
    PayWin: answer("tx_id"),
    GetBalance: (_: unknown, reply: grpc.sendUnaryData<object>) =>
      reply(null, { status: "TRANSACTION_STATUS_SUCCESS", balance_minor: "500" }),
  });
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) =>
      error === null ? resolve(port) : reject(error),
    ),
  );
  const client = new SportsbookClient(`127.0.0.1:${port}`, "none");
  const book = new Book(7, () => 0);
  const cashier = new Cashier(client, book);
  const slips = new Slips(client, book, cashier);
  t.teardown(() => {
    slips.close();
    cashier.close();
    client.close();
    server.forceShutdown();
  });
  return { book, cashier, slips, heard };
}

for (const [code, errorCode] of [
  ["INTERNAL", "INTERNAL_ERROR"],
  ["INTERNAL", ""],
  ["UNKNOWN", ""],
  ["RESOURCE_EXHAUSTED", ""],
  ["ABORTED", ""],
] as const) {
  test(`if a slip or a win gets ${errorCode || code}, the sportsbook sends the same slip or win again`, async (t) => {
    const { book, cashier, slips, heard } = await start(t, grpc.status[code], errorCode);
    const session = { session_id: "s", player_ref: "ana", currency: "BRL" } as ExchangedSession;
    const odds = book.selection(SELECTION)?.odds ?? 0;
    const placed = await slips.place(session, {
      slipId: "abcdefgh",
      accept: "better",
      bets: [{ stakeMinor: 100n, selections: [{ id: SELECTION, odds }] }],
    });
    const [bet] = placed.bets;
    t.is(placed.status, "placed");
    t.deepEqual(heard, [bet?.slip, bet?.slip]);
    t.true(book.finish("liga-do-sol-0", { home: 9, away: 0 }));
    cashier.settle();
    while (bet?.paying) await new Promise((resolve) => setTimeout(resolve, 20));
    t.deepEqual(heard.slice(2), [`win-${bet?.id}`, `win-${bet?.id}`]);
  });
}
