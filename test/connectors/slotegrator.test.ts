import test from "ava";
import { formFields, parseForm, writeForm } from "../../connectors/slotegrator/form.ts";
import { signOf, verifies } from "../../connectors/slotegrator/sign.ts";
import {
  type SlotegratorFields,
  type SlotegratorReply,
  slotegratorSign,
  startSlotegratorStage,
} from "../../testbed/connectors/slotegrator.ts";

let number = 0;
/** The fields of a player's calls, with ids of their own. */
function callsOf(who: { player_id: string; session_id: string }) {
  const base = (action: string, type: string, amount: string, more: SlotegratorFields): SlotegratorFields => ({
    action,
    amount,
    currency: "BRL",
    game_uuid: "lucky",
    ...who,
    transaction_id: `tx-${++number}`,
    type,
    round_id: `round-${number}`,
    ...more,
  });
  return {
    question: { action: "balance", currency: "BRL", ...who } as SlotegratorFields,
    bet: (amount: string, more: SlotegratorFields = {}) => base("bet", "bet", amount, more),
    win: (amount: string, more: SlotegratorFields = {}) => base("win", "win", amount, more),
    refund: (bet: SlotegratorFields, more: SlotegratorFields = {}) => {
      const fields = { ...base("refund", "bet", String(bet.amount), more) };
      delete (fields as { round_id?: unknown }).round_id;
      return { ...fields, bet_transaction_id: String(bet.transaction_id) };
    },
    rollback: (list: readonly SlotegratorFields[], more: SlotegratorFields = {}) => ({
      ...base("rollback", "rollback", "0", more),
      rollback_transactions: list.map(({ action, amount, transaction_id, type }) => ({
        action: String(action),
        amount: String(amount),
        transaction_id: String(transaction_id),
        type: String(type),
      })),
    }),
  };
}

async function ready(t: Parameters<typeof startSlotegratorStage>[0], more = {}) {
  const stage = await startSlotegratorStage(t, more);
  const who = await stage.open();
  return { ...stage, who, ...callsOf(who) };
}

const isError = ({ http, body }: SlotegratorReply, code = "INTERNAL_ERROR"): boolean =>
  http === 200 && body.error_code === code && typeof body.error_description === "string";

test("the signature of the API's worked example is right, and lists may be signed sorted or as they came", (t) => {
  const body =
    "type=bet&action=bet&amount=2.50&currency=BRL&game_uuid=g1&player_id=p-77&round_id=r1&session_id=s1&transaction_id=t1";
  const headers = { "X-Merchant-Id": "m1", "X-Timestamp": "1700000000", "X-Nonce": "n1" };
  const form = parseForm(Buffer.from(body));
  t.is(signOf(form, headers, "testKey"), "1cfadae9f74ecc0491b62d47d8f35615ab79fc24");
  const merchant = { merchantId: "m1", merchantKey: "testKey" };
  t.true(verifies(form, headers, "1cfadae9f74ecc0491b62d47d8f35615ab79fc24", merchant));
  t.false(verifies(form, headers, "1cfadae9f74ecc0491b62d47d8f35615ab79fc25", merchant));
  t.false(verifies(form, headers, "", merchant));
  t.false(verifies(form, headers, signOf(form, headers, "testKey"), { ...merchant, merchantId: "m2" }));
  const list = parseForm(Buffer.from("a%5B0%5D%5Bz%5D=1&a[0][b]=x+y~&a[10][b]=3&a[2][b]=4&c=%C3%A9"));
  t.true(verifies(list, headers, signOf(list, headers, "testKey", false), merchant));
  t.true(verifies(list, headers, signOf(list, headers, "testKey", true), merchant));
  t.not(signOf(list, headers, "testKey", false), signOf(list, headers, "testKey", true));
  t.is(writeForm(list), "a%5B0%5D%5Bz%5D=1&a%5B0%5D%5Bb%5D=x+y%7E&a%5B10%5D%5Bb%5D=3&a%5B2%5D%5Bb%5D=4&c=%C3%A9");
});

test("a form keeps its order and nesting, and refuses a key that comes twice", (t) => {
  const parse = (text: string) => formFields(parseForm(Buffer.from(text)));
  t.is(
    JSON.stringify(parse("b=1&a=2+3&l[0][x]=1&l[1][x]=2&m[]=1&m[]=2")),
    '{"b":"1","a":"2 3","l":[{"x":"1"},{"x":"2"}],"m":["1","2"]}',
  );
  for (const wrong of [
    "a=1&a=2",
    "a=1&a[0]=2",
    "a[0]=1&a=2",
    "a[0]=1&a[0]=2",
    "a=%zz",
    "a=%C3",
    "=1",
    "a[=1",
    "a]x[=1",
    "a[1][2][3][4][5][6]=1",
  ])
    t.throws(() => parseForm(Buffer.from(wrong)), { name: "JsonFault" }, wrong);
});

test("the upstream's own test of operators passes in all its steps", async (t) => {
  const { call, question, bet, win, refund, rollback, ...stage } = await ready(t);
  const cents = () => Number(stage.balance()) / 100;
  /** A call that succeeds; its answer has the wallet's balance and an id of ours. */
  const good = async (fields: SlotegratorFields, expected: number): Promise<SlotegratorReply["body"]> => {
    const { http, body, text } = await call(fields);
    t.is(http, 200, text);
    t.is(body.error_code, undefined, text);
    t.is(body.balance, expected, text);
    t.regex(text, /^\{"balance":-?\d+\.\d{4}/);
    if (fields.action !== "balance") t.regex(String(body.transaction_id), /./);
    return body;
  };
  const twice = async (fields: SlotegratorFields, expected: number) =>
    t.deepEqual(await good(fields, expected), await good(fields, expected));

  await good(question, 100);
  t.true(isError(await call({ ...question, player_id: "nobody" })));
  await twice(bet("0"), 100);
  const firstWin = win("2.50");
  await twice(firstWin, 102.5);
  await twice(refund(firstWin), 102.5);
  const zero = bet("0");
  await twice(win("0"), 102.5);
  await twice(zero, 102.5);
  await twice(refund(zero), 102.5);
  await good(zero, 102.5);
  const refunded = bet("10.00");
  await twice(refunded, 92.5);
  await twice(refund(refunded), 102.5);
  await twice(refund(refunded), 102.5);
  t.is((await good(refunded, 92.5)).transaction_id, `SLOTEGRATOR:${refunded.transaction_id}`);
  t.is(cents(), 102.5);
  const round = { round_id: "round-of-many" };
  await good(bet("5", round), 97.5);
  const repeated = win("1.25", round);
  await good(win("1", round), 98.5);
  await good(win("0", round), 98.5);
  await twice(repeated, 99.75);
  await good(bet("1", { game_uuid: "table" }), 98.75);
  await good(win("1", { game_uuid: "table" }), 99.75);
  const never = bet("0");
  await twice(refund(never), 99.75);
  await twice(never, 99.75);
  const tooMuch = bet("500000.00");
  t.true(isError(await call(tooMuch), "INSUFFICIENT_FUNDS"));
  await twice(refund(tooMuch), 99.75);
  t.true(isError(await call(tooMuch), "INSUFFICIENT_FUNDS"));
  t.is((await stage.send("", {}, { "X-Sign": "0".repeat(40) })).http, 403);
  await good(bet("99.75"), 0);
  await good(win("35.00"), 35);
  await good(bet("34.99"), 0.01);
  await good(win("99.99"), 100);
  const both = { round_id: "round-to-roll-back" };
  const rolled = [bet("20", both), win("60", both)] as const;
  for (const [index, fields] of rolled.entries()) await good(fields, index === 0 ? 80 : 140);
  const list = rollback(rolled, both);
  const answer = await good(list, 100);
  t.deepEqual(
    answer.rollback_transactions,
    rolled.map((fields) => fields.transaction_id),
  );
  t.deepEqual(await good(list, 100), answer);
  for (const finished of ["0", "1"]) {
    const more = { round_id: `round-${finished}`, finished };
    await good(bet("1", more), finished === "0" ? 99 : 100);
    await good(bet("1", more), finished === "0" ? 98 : 99);
    await good(win("3", more), finished === "0" ? 101 : 102);
  }
  t.is(cents(), 102);
});

test("bad input gets the API's own answer, and no money moves", async (t) => {
  const { call, send, question, bet, win, refund, rollback, who, ...stage } = await ready(t);
  const other = await stage.open({ player_id: "bob" });
  const good = bet("1");
  const { session_id: _, ...withoutSession } = good as Record<string, string>;
  const { currency: __, ...withoutCurrency } = question as Record<string, string>;
  const wrong: readonly SlotegratorFields[] = [
    {},
    { ...good, action: "__proto__" },
    { ...good, action: "jump" },
    { ...good, player_id: "nobody" },
    { ...good, game_uuid: "unknown" },
    { ...win("1"), game_uuid: "unknown" },
    { ...good, currency: "MXN" },
    { ...win("1"), currency: "XXX" },
    { ...refund(good), currency: "USD" },
    { ...good, amount: "-1" },
    { ...good, amount: "1,5" },
    { ...good, amount: "" },
    { ...good, amount: "9".repeat(30) },
    { ...good, amount: "1.0013" },
    { ...good, session_id: "unknown" },
    { ...good, session_id: other.session_id },
    { ...good, round_id: "r".repeat(200) },
    { ...good, amount: [{ a: "1" }] },
    { ...rollback([]), rollback_transactions: "tx-1" },
    { ...rollback([]), rollback_transactions: [{ action: "bet" }] },
    { ...rollback([]), rollback_transactions: [{ action: "jump", transaction_id: "x" }] },
    { ...rollback([]), rollback_transactions: [{ action: "refund", amount: "x", transaction_id: "x" }] },
    withoutSession,
    withoutCurrency,
  ];
  for (const fields of wrong) t.true(isError(await call(fields)), JSON.stringify(fields));
  t.true(isError(await send("amount=1&amount=2", {})));
  t.true(isError(await send("a=%zz", {})));
  t.true(isError(await send(`a=${"x".repeat(70_000)}`, {})));
  for (const header of ["X-Sign", "X-Merchant-Id", "X-Nonce", "X-Timestamp"])
    t.is((await send("action=balance", { action: "balance" }, { [header]: "x" })).http, 403, header);
  const changed = await send(new URLSearchParams({ ...withoutSession, amount: "2" }).toString(), withoutSession);
  t.is(changed.http, 403);
  t.is((await fetch(stage.origin)).status, 404);
  t.is(stage.balance(), 10_000n);
  t.is((await call({ ...good, an_unknown_field: "é ~*'()!" })).body.balance, 99);
  t.true(isError(await call({ ...good, amount: "2" })));
  t.true(isError(await call({ ...win("1"), transaction_id: String(good.transaction_id) })));
  t.true(isError(await call({ ...refund(good), amount: "2" })));
  const theirs = { player_id: other.player_id, session_id: other.session_id };
  t.true(isError(await call({ ...refund(good), ...theirs })));
  t.true(isError(await call({ ...rollback([good]), ...theirs })));
  t.is(stage.balance(), 9_900n);
});

test("a rollback with a contradiction moves nothing, and a refund in it needs its bet", async (t) => {
  const { call, bet, win, refund, rollback, ...stage } = await ready(t);
  const [first, second, paid] = [bet("10"), bet("20"), win("5")];
  for (const fields of [first, second, paid]) t.is((await call(fields)).body.error_code, undefined);
  t.true(isError(await call(rollback([first, { ...second, amount: "21" }]))));
  t.true(isError(await call(rollback([first, { ...paid, action: "bet" }]))));
  t.is(stage.balance(), 7_500n);
  const back = refund(first);
  t.is((await call(back)).body.balance, 85);
  t.true(isError(await call(rollback([back]))));
  const whole = rollback([back, first, second, paid, { ...bet("7"), transaction_id: "never-came" }]);
  const { body } = await call(whole);
  t.is(body.balance, 100);
  t.is((body.rollback_transactions as readonly string[]).length, 5);
  t.deepEqual((await call(whole)).body, body);
  t.deepEqual((await call({ ...whole, transaction_id: "another-id" })).body.balance, 100);
  t.true(isError(await call({ ...bet("7"), transaction_id: "never-came" })));
  t.is((await call(paid)).body.balance, 75, "the repeat of a win that was rolled back has its first answer");
  t.is(stage.balance(), 10_000n);
});

test("what is below the minor unit is refused in a bet, and cut off in a win", async (t) => {
  const { call, bet, win, rollback, ...stage } = await ready(t);
  t.true(isError(await call(bet("1.0013"))));
  const paid = win("1.0013");
  t.is((await call(paid)).body.balance, 101);
  t.is((await call(paid)).body.balance, 101);
  t.is((await call(bet("1.0000"))).body.balance, 100);
  t.is((await call(rollback([paid]))).body.balance, 99);
  t.is(stage.balance(), 9_900n);
});

test("settlements need no session, and a call without a round has one of its own", async (t) => {
  const { call, question, bet, win, refund } = await ready(t);
  const without = (fields: SlotegratorFields, ...names: readonly string[]) =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
  const placed = without(bet("2.00", { type: "tip" }), "round_id");
  t.is((await call(placed)).body.balance, 98);
  t.is((await call(without(win("1", { type: "pragmatic_prize_drop" }), "session_id", "round_id"))).body.balance, 99);
  t.is((await call({ ...refund(placed), session_id: "of-long-ago" })).body.balance, 101);
  t.is((await call(without(question, "session_id"))).body.balance, 101);
  t.is((await call({ ...question, session_id: "of-long-ago" })).body.balance, 101);
});

test("a launch has the signed fields of the API", async (t) => {
  const stage = await startSlotegratorStage(t);
  const launched = await stage.launch({ lobby_url: "https://casino.example/lobby?a=1&b=%C3%BC" });
  t.is(launched.path, "/games/init");
  const fields = Object.fromEntries(new URLSearchParams(launched.body));
  t.like(fields, {
    game_uuid: "lucky",
    currency: "BRL",
    language: "pt",
    return_url: "https://casino.example/lobby?a=1&b=%C3%BC",
  });
  t.is(fields.player_id, fields.player_name);
  t.regex(String(fields.session_id), /^[A-Za-z0-9_-]{32}$/);
  const names = {
    "X-Merchant-Id": "m1",
    "X-Timestamp": String(launched.headers["x-timestamp"]),
    "X-Nonce": String(launched.headers["x-nonce"]),
  };
  t.is(launched.headers["x-sign"], slotegratorSign(fields, names));
});
