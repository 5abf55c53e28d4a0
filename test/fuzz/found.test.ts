/** Faults that the fuzzer found in whole requests, reduced to readable inputs. */
import { create, toBinary } from "@bufbuild/protobuf";
import test from "ava";
import { WalletService } from "../../src/gen/aggregator/provider/v1/wallet_service_pb.ts";
import { KEYS, SESSIONS, startInProcess } from "./in-process.ts";
import { grpcCalls } from "./kinds/service/grpc.ts";

const { payWin } = WalletService.method;

test("a repeat with a currency that no column can store is refused as a mismatch of this field, without an internal error", async (t) => {
  const service = await startInProcess();
  t.teardown(() => service.close());
  const { check } = grpcCalls(service, {
    name: "provider-calls",
    of: "aggregator.provider.v1",
    key: KEYS.ACME,
    perMillion: 0,
  });
  const wallet = { status: 200, body: Buffer.from('{"ok":true,"balance":1}'), currency: "BRL" } as const;
  const repeat = (currency: string) => {
    const request = create(payWin.input, {
      sessionId: SESSIONS.ACME[0],
      txId: "w1",
      roundId: "r1",
      amountMinor: 250n,
      currency,
    });
    return check({
      rpc: "aggregator.provider.v1.WalletService/PayWin",
      key: KEYS.ACME,
      bytes: toBinary(payWin.input, request),
      wallet,
    });
  };
  t.deepEqual(await repeat("BRL"), []);
  for (const currency of ["", "BRLX", "x".repeat(1_000)]) t.deepEqual(await repeat(currency), [], currency.slice(0, 8));
});
