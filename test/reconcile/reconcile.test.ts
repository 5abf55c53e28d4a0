/** Compares a merchant's ledger with a real service, with every kind of difference. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type ExecutionContext } from "ava";
import { reconcile } from "../../reconcile/reconcile.ts";
import { ledgerCsv } from "../../sandbox/merchant/ledger-csv.ts";
import { startWorld } from "../../testbed/stage/world.ts";

const MERCHANT = "shop-brl";
const HEADER = "tx_id,action,amount,currency,status,player_id,round_id,ref_tx_id";

const undo: (() => unknown)[] = [];
let played: Awaited<ReturnType<typeof play>>;
test.before(async () => {
  played = await play({ teardown: (step: () => unknown) => undo.push(step) } as unknown as ExecutionContext);
});
test.after.always(async () => {
  for (const step of undo.reverse()) await step();
});

/** Bets, a win, a refund; a bet that was applied without an answer, and a rejected win. */
async function play(t: ExecutionContext) {
  const folder = mkdtempSync(join(tmpdir(), "ledger-"));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const world = await startWorld(t, { env: { REFUND_QUIET_PERIOD_MS: "0" } });
  const sessionId = await world.session();
  for (const txId of ["b1", "b2", "b3"]) await world.request("bet", { sessionId, txId, amountMinor: 1_050n });
  await world.request("win", { sessionId, txId: "w1", amountMinor: 2_000n });
  await world.request("refund", { sessionId, txId: "f2", refTxId: "b2", amountMinor: 1_050n });
  world.wallet.setFault({ kind: "rejected" });
  await world.request("win", { sessionId, txId: "w2" });
  world.wallet.setFault({ kind: "http_500", applies: true });
  await world.request("bet", { sessionId, txId: "b4" });
  world.wallet.setFault({ kind: "none" });

  const credentials = {
    apiUrl: `http://127.0.0.1:${world.first.ports.rest}`,
    merchant: MERCHANT,
    secret: world.secrets.get(MERCHANT) ?? "",
  };
  const range = { from: Date.now() - 3_600_000, to: Date.now() + 3_600_000 };
  const lines = ledgerCsv(world.wallet.ledger.effects, MERCHANT, "BRL").trimEnd().split("\r\n").slice(1);
  let files = 0;
  const ledger = (...texts: readonly string[]): string => {
    const file = join(folder, `${++files}.csv`);
    writeFileSync(file, texts.join("\n"));
    return file;
  };
  return {
    credentials,
    range,
    lines,
    ledger,
    /** The result of the comparison with these lines of a ledger. */
    async compared(texts: readonly string[], over = range) {
      using found = await reconcile(credentials, ledger(HEADER, ...texts), over);
      return { counts: found.counts, differences: [...found.differences()] };
    },
    /** Runs the program itself. */
    program: (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
      new Promise<{ code: number; out: string; err: string }>((resolve) => {
        const { apiUrl, merchant, secret } = credentials;
        const all = {
          PATH: process.env.PATH,
          API_URL: apiUrl,
          MERCHANT_CODE: merchant,
          MERCHANT_SECRET: secret,
          ...env,
        };
        const child = execFile(process.execPath, ["reconcile/main.ts", ...args], { env: all }, (_, out, err) =>
          resolve({ code: child.exitCode ?? -1, out, err }),
        );
      }),
  };
}

/** The ledger's lines without the bet that the wallet applied without an answer. */
const settled = () => played.lines.filter((line) => !line.startsWith("ACME:b4"));
const brief = (differences: readonly { kind: string; txId: string }[]) =>
  differences.map(({ kind, txId }) => `${kind} ${txId}`);

test("a ledger with the service's own data has no differences", async (t) => {
  const { counts, differences } = await played.compared(settled());
  t.deepEqual(differences, []);
  t.deepEqual(counts, { ledgerLines: 5, transactions: 7, pending: 1, edges: 0 });
});

test("a ledger may have the ids as our exports write them for spreadsheets", async (t) => {
  const world = await startWorld(t);
  const sessionId = await world.session();
  for (const txId of ["x;=1", "a\u202eb", "y;'=1"]) await world.request("bet", { sessionId, txId, amountMinor: 100n });
  const credentials = {
    apiUrl: `http://127.0.0.1:${world.first.ports.rest}`,
    merchant: MERCHANT,
    secret: world.secrets.get(MERCHANT) ?? "",
  };
  const file = played.ledger(ledgerCsv(world.wallet.ledger.effects, MERCHANT, "BRL"));
  t.true(readFileSync(file, "utf8").includes("ACME:x;'=1,bet"));
  const now = { from: Date.now() - 3_600_000, to: Date.now() + 3_600_000 };
  const later = { from: now.from + 3 * 3_600_000, to: now.to + 3 * 3_600_000 };
  for (const range of [now, later]) {
    using found = await reconcile(credentials, file, range);
    t.deepEqual([...found.differences()], []);
  }
});

test("columns may be in any order, additional columns are ignored, and amounts are compared as decimals", async (t) => {
  const rows = [
    ["1", "ACME:b1", "10.5", "bet"],
    ["2", "ACME:b2", "010.500", "bet"],
    ["3", "ACME:b3", "10.50", "bet"],
    ["4", "ACME:w1", "20", "win"],
    ["5", "ACME:f2", "10.50", "refund"],
  ];
  const file = played.ledger(
    "\ufeffNr, TX_ID ,Amount,action",
    ...rows.map(([nr, tx, amount, action]) => `"${nr}",${tx},${amount},${action}\r`),
  );
  using found = await reconcile(played.credentials, file, played.range);
  t.deepEqual([...found.differences()], []);
  const semicolons = played.ledger(
    "Nr;TX_ID;Amount;action\r",
    ...rows.map(([nr, tx, amount = "", action]) => `${nr};${tx};${amount.replace(".", ",")};${action}\r`),
  );
  using same = await reconcile(played.credentials, semicolons, played.range);
  t.deepEqual([...same.differences()], [], "a spreadsheet of South America wrote it");
});

test("a transaction that only the ledger has is missing in the service, and one that only the service has is missing in the ledger", async (t) => {
  const { differences } = await played.compared([
    ...settled().filter((line) => !line.startsWith("ACME:w1")),
    "ACME:x9,bet,1.00,BRL,success,ana,r1,",
  ]);
  t.deepEqual(differences, [
    {
      kind: "missing_here",
      txId: "ACME:x9",
      here: null,
      there: { action: "bet", amount: "1", currency: "BRL", status: "success" },
      lines: [6],
    },
    {
      kind: "missing_there",
      txId: "ACME:w1",
      here: { action: "win", amount: "20", currency: "BRL", status: "success" },
      there: null,
      lines: [],
    },
  ]);
});

test("the service still knows a transaction that last changed before the range", async (t) => {
  const { from, to } = played.range;
  await played.compared([]);
  // The feed has all transactions, but the feed of a later range has none of them.
  const later = { from: from + 3 * 3_600_000, to: to + 3 * 3_600_000 };
  const { differences } = await played.compared([...played.lines, "ACME:x9,bet,1.00,BRL,success,ana,r1,"], later);
  t.deepEqual(brief(differences), ["missing_here ACME:x9", "status ACME:b4"]);
  t.is(differences[1]?.here?.status, "pending");
  const [first = ""] = played.lines;
  const other = await played.compared([first.replace("10.50", "10.51"), first.replace("10.50", "10.51")], later);
  t.deepEqual(brief(other.differences), ["amount ACME:b1", "amount ACME:b1", "duplicate ACME:b1"]);
});

test("another amount, currency or action is a difference of the amount, to the last hundredth", async (t) => {
  for (const [from, to] of [
    ["ACME:b1,bet,10.50", "ACME:b1,bet,10.51"],
    ["ACME:b1,bet,10.50", "ACME:b1,bet,10.505"],
    ["ACME:b1,bet,10.50,BRL", "ACME:b1,bet,10.50,USD"],
    ["ACME:b1,bet,10.50", "ACME:b1,win,10.50"],
  ] as const) {
    const { differences } = await played.compared(settled().map((line) => line.replace(from, to)));
    t.deepEqual(brief(differences), ["amount ACME:b1"], to);
  }
});

test("a transaction applied on only one side is a difference of the status; a transaction that is open on both sides is none", async (t) => {
  const { differences } = await played.compared([
    ...played.lines.map((line) => line.replace(/^(ACME:b1,.*),success/, "$1,failed")),
    "ACME:w2,win,2.50,BRL,success,ana,r1,",
  ]);
  t.deepEqual(
    differences.map(({ kind, txId, here, there }) => [kind, txId, here?.status, there?.status]),
    [
      ["status", "ACME:b1", "success", "failed"],
      ["status", "ACME:b4", "pending", "success"],
      ["status", "ACME:w2", "failed", "success"],
    ],
  );
  const open = await played.compared([
    ...settled(),
    "ACME:b4,bet,2.50,BRL,failed,ana,r1,",
    "ACME:w2,win,2.50,BRL,failed,ana,r1,",
    "ACME:x9,bet,1,BRL,failed,ana,r1,",
  ]);
  t.deepEqual(open.differences, [], "a refusal moved nothing");
  const refusedFirst = await played.compared(["ACME:b1,bet,10.50,BRL,failed,ana,r1,", ...settled()]);
  t.deepEqual(refusedFirst.differences, [], "a refusal before a success neither");
});

test("a transaction that the ledger applied twice is one duplicate, with its lines", async (t) => {
  const lines = settled();
  t.deepEqual(brief((await played.compared([...lines, lines[0] ?? ""])).differences), ["duplicate ACME:b1"]);
  const { differences } = await played.compared([...lines, lines[0] ?? "", lines[0] ?? ""]);
  t.deepEqual(
    differences.map(({ kind, txId, lines: at }) => [kind, txId, at]),
    [["duplicate", "ACME:b1", [2, 7, 8]]],
  );
});

test("a success near a bound of the range is not a difference, because it may belong to this ledger or to the next one", async (t) => {
  const { from, to } = played.range;
  const now = Date.now();
  for (const range of [
    { from, to: now },
    { from: now, to },
    { from: now + 50_000, to },
  ]) {
    const { counts, differences } = await played.compared([], range);
    t.deepEqual([differences.length, counts.edges], [0, 5]);
  }
  t.deepEqual(
    (await played.compared([], { from: from - 7_200_000, to: from })).counts.edges,
    0,
    "clear of the range it is of no concern",
  );
  t.is((await played.compared([])).differences.length, 5);
});

test("a file that is not a ledger is refused, with every wrong line", async (t) => {
  const { credentials, ledger, range } = played;
  for (const [text, message] of [
    ["", /it is empty/],
    ["tx_id,amount\nACME:1,2", /:1: .* there is no action among tx_id, amount/],
    ["tx_id,action,amount,Amount\n", /:1: the column amount is there twice/],
    [
      "tx_id,action,amount\nACME:1,bet,-2.50\n,bet,1\nACME:3,stake,1\nACME:4,bet,1e3\nACME:5,bet,0.00",
      /:2: amount .*"-2\.50"\n.*:3: tx_id is empty\n.*:4: action .*\n.*:5: amount .*"1e3"\n.*:6: amount/s,
    ],
    ["tx_id,action,amount,status\nACME:1,bet,1,ok", /:2: status must be success or failed, not "ok"/],
    ['tx_id,action,amount\nACME:1,bet,"2,50"', /:2: amount must be a decimal above zero such as 2\.50, .*"2,50"/],
    ['tx_id,action,amount\n"ACME:1,bet,1', /:2: a quoted cell has no end/],
  ] as const)
    await t.throwsAsync(reconcile(credentials, ledger(text), range), { name: "LedgerFault", message }, text);
  await t.throwsAsync(reconcile(credentials, "/nowhere/ledger.csv", range), {
    name: "LedgerFault",
    message: /no such file/,
  });
  await t.throwsAsync(reconcile({ ...credentials, secret: "sk_wrong" }, ledger(HEADER), range), {
    name: "ApiFault",
    message: /401 INVALID_SIGNATURE/,
  });
});

test("the program's exit code is 0 if there is no difference and 1 if there is one; it prints advice, or with --json one JSON object", async (t) => {
  const range = ["--from", new Date(played.range.from).toISOString(), "--to", new Date(played.range.to).toISOString()];
  const equal = await played.program(["--ledger", played.ledger(HEADER, ...settled()), ...range]);
  t.like(equal, { code: 0, err: "" });
  t.regex(
    equal.out,
    /^shop-brl, from .*\n5 lines of the ledger, 7 transactions of the service, 1 of them pending and not applied: not decided yet\n\nEqual: no differences\.\n$/,
  );

  const file = played.ledger(HEADER, ...played.lines.slice(1), "ACME:x9,bet,1.00,BRL,success,ana,r1,");
  const different = await played.program(["--ledger", file, ...range]);
  t.is(different.code, 1);
  t.regex(
    different.out,
    /^missing_here \(1\): in your ledger, unknown to the service\n {2}tx_id +service +ledger +line\n {2}ACME:x9 +- +bet 1 BRL success +7\n {2}What to do: /m,
  );
  t.regex(different.out, /^ {2}ACME:b1 +bet 10\.5 BRL success +- +-$/m);
  t.regex(different.out, /\n3 differences\.\n$/);

  const { code, out } = await played.program(["--ledger", file, "--json", ...range]);
  t.is(code, 1);
  const report = JSON.parse(out);
  t.like(report, {
    merchant: MERCHANT,
    currency: "BRL",
    counts: { ledger_lines: 6, transactions: 7, pending: 0, edges: 0 },
  });
  t.deepEqual(
    report.differences.map((one: { kind: string; tx_id: string }) => `${one.kind} ${one.tx_id}`),
    ["missing_here ACME:x9", "missing_there ACME:b1", "status ACME:b4"],
  );
  t.true(
    report.differences.every(
      (one: { what_to_do: string }) => one.what_to_do.endsWith(".") || one.what_to_do.endsWith(")."),
    ),
  );

  t.like(
    await played.program(["--ledger", played.ledger(HEADER, ...settled())]),
    { code: 0, err: "" },
    "without a range: all there is",
  );
  const typo = await played.program(["--ledger", file, "--day", "2026-02-30"], { API_URL: "localhost:8080" });
  t.like(typo, { code: 2, out: "" });
  t.regex(typo.err, /API_URL must be/);
});
