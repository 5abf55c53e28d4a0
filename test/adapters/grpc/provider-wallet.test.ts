import type { DescMethodUnary } from "@bufbuild/protobuf";
import { status as Grpc } from "@grpc/grpc-js";
import test, { type ExecutionContext } from "ava";
import type { Call } from "../../../src/adapters/grpc/server/on-call.ts";
import { ERRORS, type ErrorCode, ok, refuse } from "../../../src/domain/errors.ts";
import { carriedOf } from "../../../src/domain/values/carried.ts";
import type { TxId } from "../../../src/domain/values/identifiers.ts";
import { TransactionAction } from "../../../src/gen/aggregator/provider/v1/transaction_record_pb.ts";
import { TransactionStatus } from "../../../src/gen/aggregator/provider/v1/transaction_status_pb.ts";
import { ReverseOutcome, WalletService } from "../../../src/gen/aggregator/provider/v1/wallet_service_pb.ts";
import { GrpcCaller } from "../../../testbed/callers/grpc-caller.ts";
import { EXPIRED_KEY, KEY, moved, REVOKED_KEY, SPORTSBOOK_KEY, startProviderSide } from "./provider-side.ts";

const { getBalance, placeBet, payWin, refundBet, rollbackWin, play, reverse } = WalletService.method;
const bet = {
  sessionId: "session",
  txId: "tx-1",
  roundId: "round",
  amountMinor: 250n,
  currency: "BRL",
  game: "roulette",
};

/** Each test has its own server and caller. */
const withCaller = (
  title: string,
  run: (t: ExecutionContext, side: Awaited<ReturnType<typeof startProviderSide>>, caller: GrpcCaller) => Promise<void>,
) =>
  test(title, async (t) => {
    const side = await startProviderSide(t);
    await run(t, side, new GrpcCaller(t, side.port));
  });

withCaller("PlaceBet passes the bet on and answers with the balance and the wire id", async (t, { money }, caller) => {
  money.answer = () => moved({ balanceMinor: 9_007_199_254_740_993n, txId: "ACME:tx-1" as TxId });
  const reply = await caller.call(placeBet, bet, { keys: [KEY] });
  t.is(reply.status, TransactionStatus.SUCCESS);
  t.is(reply.balanceMinor, 9_007_199_254_740_993n);
  t.is(reply.txId, "ACME:tx-1");
  t.is(reply.error, "");
  const [{ deadline: _, provider, ...request } = {}] = money.requests;
  t.is(provider?.code as string, "ACME");
  t.deepEqual(request, { ...carriedOf(bet), ...bet, action: "bet", playerRef: "", traceparent: null });
});

withCaller(
  "PayWin, RefundBet and RollbackWin pass on the player_ref; the reversals also pass on the id that they reverse",
  async (t, { money }, caller) => {
    const common = {
      playerRef: "player",
      txId: "tx-2",
      roundId: "round",
      amountMinor: 250n,
      currency: "BRL",
      game: "roulette",
    };
    const untraced = { ...carriedOf(common), ...common, sessionId: "", traceparent: null };
    await caller.call(payWin, common, { keys: [KEY] });
    await caller.call(refundBet, { ...common, refTxId: "tx-1" }, { keys: [KEY] });
    await caller.call(rollbackWin, { ...common, refTxId: "tx-1" }, { keys: [KEY] });
    t.deepEqual(
      money.requests.map(({ deadline: _, provider: __, ...request }) => request),
      [
        { ...untraced, action: "win", betTxId: "", settles: false },
        { ...untraced, action: "refund", refTxId: "tx-1", unlessSettled: false },
        { ...untraced, action: "rollback", refTxId: "tx-1" },
      ],
    );
  },
);

withCaller(
  "PayWin passes on the bet that it names, and RefundBet its condition; a refusal names the settlement",
  async (t, { money }, caller) => {
    money.answer = () => refuse("BET_SETTLED", { field: "bet_tx_id", metadata: { settled_by: "ACME:win" } });
    const failure = await caller.failure(payWin, { ...bet, betTxId: "bet", settles: true }, { keys: [KEY] });
    t.is(failure.code, Grpc.FAILED_PRECONDITION);
    t.deepEqual(failure.info?.metadata, { retry: "never", field: "bet_tx_id", settled_by: "ACME:win" });
    await caller.failure(refundBet, { ...bet, refTxId: "bet", unlessSettled: true }, { keys: [KEY] });
    t.like(money.requests[0], { betTxId: "bet", settles: true });
    t.like(money.requests[1], { unlessSettled: true });
  },
);

withCaller("Play passes both parts on, and its reply has one balance", async (t, { plays }, caller) => {
  const request = {
    sessionId: "s1",
    roundId: "r1",
    currency: "BRL",
    game: "fruits",
    bet: { txId: "b1", amountMinor: 250n },
    win: { txId: "w1", amountMinor: 400n, settles: true },
  };
  const pending = await caller.call(play, request, { keys: [KEY] });
  t.is(pending.status, TransactionStatus.PENDING);
  t.is(pending.winStatus, TransactionStatus.UNSPECIFIED);
  t.like(plays.requests[0], request);
  const bet = {
    status: "success",
    txId: "ACME:b1" as TxId,
    balanceMinor: 9_750n,
    balanceBeforeMinor: 10_000n,
    error: "",
    replayed: true,
  } as const;
  const win = { ...bet, txId: "ACME:w1" as TxId, balanceMinor: 10_150n, balanceBeforeMinor: 9_750n } as const;
  plays.answer = () => ok({ bet, win });
  t.like(await caller.call(play, request, { keys: [KEY] }), {
    status: TransactionStatus.SUCCESS,
    balanceMinor: 10_150n,
    balanceBeforeMinor: 10_000n,
    betTxId: "ACME:b1",
    winStatus: TransactionStatus.SUCCESS,
    winTxId: "ACME:w1",
    replayed: true,
  });
  plays.answer = () => ok({ bet, win: { ...win, status: "pending", balanceMinor: null, replayed: false } });
  const open = await caller.call(play, request, { keys: [KEY] });
  t.is(open.balanceMinor, undefined, "the balance after the bet is not the one after both");
  t.is(open.winStatus, TransactionStatus.PENDING);
  t.false(open.replayed);
  plays.answer = () => ok({ bet, win: { ...win, status: "failed", balanceMinor: null, error: "PLAYER_NOT_FOUND" } });
  t.like(await caller.call(play, request, { keys: [KEY] }), {
    winStatus: TransactionStatus.FAILED,
    winError: "PLAYER_NOT_FOUND",
    error: "",
  });
  plays.answer = () => ok({ bet, win: null });
  t.like(await caller.call(play, request, { keys: [KEY] }), {
    balanceMinor: 9_750n,
    winStatus: TransactionStatus.UNSPECIFIED,
    winTxId: "",
  });
});

withCaller("Reverse passes on what the caller knows, and says what was reversed", async (t, { reversals }, caller) => {
  const request = { sessionId: "session", txId: "tx-2", refTxId: "tx-1" };
  const marked = await caller.call(reverse, request, { keys: [KEY] });
  t.is(marked.outcome, ReverseOutcome.MARKED);
  t.is(marked.balanceMinor, undefined);
  t.like(reversals.requests[0], {
    ...request,
    amountMinor: null,
    kind: null,
    currency: "",
    roundId: "",
    unlessSettled: false,
    deliver: false,
  });
  reversals.answer = () =>
    ok({ status: "success", balanceMinor: 5n, error: "", txId: "ACME:tx-2" as TxId, outcome: "rollback" });
  const more = { amountMinor: 0n, kind: TransactionAction.WIN, unlessSettled: true, deliver: true };
  const reply = await caller.call(reverse, { ...request, ...more }, { keys: [KEY] });
  t.like(reply, { outcome: ReverseOutcome.ROLLBACK, balanceMinor: 5n, txId: "ACME:tx-2" });
  t.like(reversals.requests[1], { ...more, kind: "win" });
  await caller.call(reverse, { ...request, kind: TransactionAction.REFUND }, { keys: [KEY] });
  t.like(reversals.requests[2], { kind: "other" });
});

withCaller("GetBalance answers with the balance, or with the wallet's rejection", async (t, { balance }, caller) => {
  balance.answer = () => moved({ balanceMinor: -5n });
  const reply = await caller.call(getBalance, { playerRef: "player", game: "roulette" }, { keys: [KEY] });
  t.is(reply.status, TransactionStatus.SUCCESS);
  t.is(reply.balanceMinor, -5n);
  const [{ deadline: _, provider, ...request } = {}] = balance.requests;
  t.is(provider?.code as string, "ACME");
  t.deepEqual(request, { sessionId: "", playerRef: "player", game: "roulette", traceparent: null });

  balance.answer = () => moved({ status: "failed", balanceMinor: null, error: "PLAYER_BLOCKED" });
  const rejected = await caller.call(getBalance, { sessionId: "session" }, { keys: [KEY] });
  t.is(rejected.status, TransactionStatus.FAILED);
  t.is(rejected.error, "PLAYER_BLOCKED");
  t.is(rejected.balanceMinor, undefined);
});

withCaller(
  "a pending bet gets a reply without a balance, and a rejected bet gets a reply with the wallet's code",
  async (t, { money }, caller) => {
    money.answer = () => moved({ status: "pending", balanceMinor: null, txId: "ACME:tx-1" as TxId });
    const pending = await caller.call(placeBet, bet, { keys: [KEY] });
    t.is(pending.status, TransactionStatus.PENDING);
    t.is(pending.balanceMinor, undefined);

    money.answer = () =>
      moved({ status: "failed", balanceMinor: 100n, error: "INSUFFICIENT_FUNDS", txId: "ACME:tx-1" as TxId });
    const failed = await caller.call(placeBet, bet, { keys: [KEY] });
    t.is(failed.status, TransactionStatus.FAILED);
    t.is(failed.error, "INSUFFICIENT_FUNDS");
    t.is(failed.balanceMinor, 100n);
  },
);

withCaller(
  "every refusal carries its status, its code, and whether the same request may be sent again",
  async (t, { money }, caller) => {
    const codes = Object.keys(ERRORS) as ErrorCode[];
    // The service makes the error object once, so the second caller gets the same object.
    for (const code of [...codes, ...codes]) {
      money.answer = () => refuse(code);
      const { grpc, retry } = ERRORS[code];
      const failure = await caller.failure(placeBet, bet, { keys: [KEY] });
      t.is(failure.code, Grpc[grpc], code);
      t.is(failure.trailer, code);
      t.is(failure.message, code);
      t.is(failure.status?.code, Grpc[grpc]);
      t.is(failure.status?.message, code);
      t.is(failure.info?.reason, code);
      t.is(failure.info?.domain, "aggregator");
      t.deepEqual(failure.info?.metadata, { retry });
      t.is(failure.badRequest, undefined);
    }
  },
);

withCaller("TRANSACTION_MISMATCH names the field that differs", async (t, { money }, caller) => {
  money.answer = () => refuse("TRANSACTION_MISMATCH", { field: "amount" });
  const failure = await caller.failure(placeBet, bet, { keys: [KEY] });
  t.is(failure.code, Grpc.ALREADY_EXISTS);
  t.is(failure.message, "TRANSACTION_MISMATCH: amount");
  t.deepEqual(failure.info?.metadata, { retry: "never", field: "amount" });
});

withCaller("VALIDATION_ERROR lists every field at fault", async (t, { money }, caller) => {
  const faults = [
    { field: "tx_id", rule: "1..95 bytes" },
    { field: "currency", rule: "supported currency" },
  ];
  money.answer = () => refuse("VALIDATION_ERROR", { details: faults });
  const failure = await caller.failure(placeBet, bet, { keys: [KEY] });
  t.is(failure.code, Grpc.INVALID_ARGUMENT);
  t.is(failure.message, "VALIDATION_ERROR: tx_id (1..95 bytes), currency (supported currency)");
  t.is(failure.info?.metadata.field, "tx_id");
  t.deepEqual(
    failure.badRequest?.fieldViolations.map(({ field, description }) => ({ field, description })),
    [
      { field: "tx_id", description: "1..95 bytes" },
      { field: "currency", description: "supported currency" },
    ],
  );
});

withCaller(
  "after a bug the caller gets INTERNAL_ERROR without the error's text, and the error is logged",
  async (t, { money, telemetry }, caller) => {
    const bug = new Error("SELECT secret FROM merchants");
    money.answer = () => Promise.reject(bug);
    const failure = await caller.failure(placeBet, bet, { keys: [KEY] });
    t.is(failure.code, Grpc.INTERNAL);
    t.is(failure.trailer, "INTERNAL_ERROR");
    t.false(
      JSON.stringify(failure, (_, value) => (typeof value === "bigint" ? String(value) : value)).includes("SELECT"),
    );
    t.deepEqual(telemetry.errors, [{ what: "bet", cause: bug }]);
  },
);

withCaller(
  "a call without exactly one valid key of a game provider gets INVALID_API_KEY, and reaches no use case",
  async (t, { money, balance }, caller) => {
    const refused = {
      missing: [],
      unknown: ["nobody's"],
      empty: [""],
      longer: [`${KEY} ${KEY}`],
      revoked: [REVOKED_KEY],
      expired: [EXPIRED_KEY],
      sportsbook: [SPORTSBOOK_KEY],
    };
    const methods = Object.values(WalletService.method) as DescMethodUnary[];
    // Every kind of key at one rpc, and one kind of key at every rpc: all of both are more calls than an address may make.
    const calls = [
      ...Object.entries(refused).map(([title, keys]) => ({ title, keys, method: placeBet as DescMethodUnary })),
      ...methods.map((method) => ({ title: method.name, keys: refused.unknown, method })),
    ];
    for (const { title, keys, method } of calls) {
      const failure = await caller.failure(method, {}, { keys });
      t.is(failure.code, Grpc.UNAUTHENTICATED, title);
      t.is(failure.trailer, "INVALID_API_KEY", title);
    }
    t.is(money.requests.length + balance.requests.length, 0);
  },
);

withCaller("a new key works at once, and after that a revoked key no longer works", async (t, { store }, caller) => {
  store.replaceKeys("a-new-key");
  t.is((await caller.call(placeBet, bet, { keys: ["a-new-key"] })).status, TransactionStatus.SUCCESS);
  // When the settings with the new key are loaded, the old keys are no longer valid.
  t.is((await caller.failure(placeBet, bet, { keys: [KEY] })).trailer, "INVALID_API_KEY");
});

withCaller(
  "if the settings can't be confirmed for a second, every call gets SERVICE_UNAVAILABLE until they can",
  async (t, { store, clock }, caller) => {
    store.fault = new Error("the database is gone");
    await new Promise<void>((resolve) => clock.after(1_300, resolve));
    const failure = await caller.failure(placeBet, bet, { keys: [KEY] });
    t.is(failure.code, Grpc.UNAVAILABLE);
    t.is(failure.trailer, "SERVICE_UNAVAILABLE");
    store.fault = undefined;
    t.is((await caller.call(placeBet, bet, { keys: [KEY] })).status, TransactionStatus.SUCCESS);
  },
);

withCaller(
  "the use case gets the caller's deadline, at most 60 s; without a deadline it is 30 s",
  async (t, { money, balance, clock }, caller) => {
    const requests = { [placeBet.name]: money.requests, [getBalance.name]: balance.requests };
    for (const [method, deadlineMs, ms] of [
      [placeBet, 25_000, 25_000],
      [placeBet, undefined, 30_000],
      [placeBet, 3_600_000, 60_000],
      [getBalance, 25_000, 25_000],
    ] as const) {
      const before = clock.monotonic();
      const deadline = deadlineMs === undefined ? {} : { deadline: Date.now() + deadlineMs };
      await caller.call(method as typeof placeBet, bet, { keys: [KEY], ...deadline });
      const given = requests[method.name]?.at(-1)?.deadline ?? Number.NaN;
      // The caller's time-out begins before its call arrives. The system's clock and the header have whole milliseconds.
      t.true(given >= before + ms - 2 && given <= clock.monotonic() + ms + 2, `${method.name}: ${given - before} ms`);
    }
    t.deepEqual([money.requests.length, balance.requests.length], [3, 1]);
  },
);

withCaller(
  "a deadline that passes, or a caller that hangs up, does not stop the use case",
  async (t, { money, server }, caller) => {
    await caller.call(placeBet, bet, { keys: [KEY] });
    const wallet = Promise.withResolvers<ReturnType<typeof moved>>();
    const begun: (() => void)[] = [];
    let finished = 0;
    money.answer = async () => {
      begun.shift()?.();
      const answer = await wallet.promise;
      finished += 1;
      return answer;
    };
    const reached = () => new Promise<void>((resolve) => begun.push(resolve));

    // On a busy machine the deadline may pass before the call arrives.
    void reached();
    while (begun.length > 0) {
      const late = await caller.failure(placeBet, bet, { keys: [KEY], deadline: Date.now() + 1_500 });
      t.is(late.code, Grpc.DEADLINE_EXCEEDED);
    }

    const atWorkToo = reached();
    const hungUp = caller.start(placeBet, bet, { keys: [KEY] });
    await atWorkToo;
    hungUp.cancel();
    await t.throwsAsync(hungUp.response, { message: /CANCELLED/ });

    t.is(finished, 0);
    t.is(server.running, 2);
    wallet.resolve(moved());
    await new Promise((resolve) => setImmediate(resolve));
    t.is(finished, 2);
    t.is(server.running, 0);
  },
);

test("the service measures a call with its refusal and the refusal's cause, which the caller does not get", async (t) => {
  const calls: Call[] = [];
  const side = await startProviderSide(t, { onCall: (call) => calls.push(call) });
  const caller = new GrpcCaller(t, side.port);
  const query = () => caller.call(getBalance, { sessionId: "session" }, { keys: [KEY] });
  await query();
  const trailers: object[] = [];
  for (const more of [{ cause: "wallet" }, {}] as const) {
    side.balance.answer = () => refuse("OVERLOADED", more);
    const error = await t.throwsAsync(query);
    trailers.push({ ...(error as unknown as { metadata: { getMap(): object } }).metadata.getMap(), date: "" });
  }
  t.deepEqual(trailers[0], trailers[1]);
  t.deepEqual(
    calls.map(({ method, code, refusal }) => ({ method, code, refusal })),
    [
      { method: "GetBalance", code: "OK", refusal: undefined },
      { method: "GetBalance", code: "RESOURCE_EXHAUSTED", refusal: { code: "OVERLOADED", cause: "wallet" } },
      { method: "GetBalance", code: "RESOURCE_EXHAUSTED", refusal: { code: "OVERLOADED" } },
    ],
  );
});
