/** Clients that were built for the last release: their recorded requests have the same effect at the wallet. */
import { readFileSync } from "node:fs";
import test from "ava";
import { TransactionStatus } from "../../src/gen/aggregator/provider/v1/transaction_status_pb.ts";
import { WalletService } from "../../src/gen/aggregator/provider/v1/wallet_service_pb.ts";
import { BetService } from "../../src/gen/aggregator/sportsbook/v1/bet_service_pb.ts";
import { SessionService } from "../../src/gen/aggregator/sportsbook/v1/session_service_pb.ts";
import { patiently } from "../../testbed/callers/busy.ts";
import { startSportsbookWorld } from "../../testbed/stage/sportsbook-world.ts";
import { startWorld } from "../../testbed/stage/world.ts";

interface Recorded {
  /** What names the player, before the recorded bytes. */
  readonly by: "session" | "player";
  /** The recorded bytes of a request, without its player. */
  readonly hex: string;
  /** The bodies of the callbacks that it led to. */
  readonly bodies: readonly string[];
}

const ACME = '"player_id":"ana","currency":"BRL","provider":"ACME","game":"fruits"';
const BOOK = '"player_id":"ana","currency":"BRL","provider":"SPORTSBOOK","game":"sportsbook"';
const BET = `{"action":"bet",${ACME},"tx_id":"ACME:b1","round_id":"r1","amount":2.5}`;
const BALANCE_OF = (of: string): string => `{"action":"balance",${of}}`;
const WIN = `{"action":"win",${ACME},"tx_id":"ACME:w1","round_id":"r1","amount":10}`;
const REFUND = `{"action":"refund",${ACME},"tx_id":"ACME:f1","round_id":"r1","amount":2.5,"ref_tx_id":"ACME:b1"}`;

/** Every call of the last release's APIs that reaches a wallet, in the order in which they were recorded. */
const PROVIDER: readonly (readonly [keyof typeof WalletService.method, Recorded])[] = [
  ["placeBet", { by: "session", hex: "1a0262312a02723130fa013a0342524c", bodies: [BET] }],
  ["payWin", { by: "session", hex: "1a0277312a02723130e8073a0342524c", bodies: [WIN] }],
  ["refundBet", { by: "session", hex: "1a026631220262312a02723130fa013a0342524c", bodies: [REFUND] }],
  [
    "rollbackWin",
    {
      by: "session",
      hex: "1a026b31220277312a02723130e8073a0342524c",
      bodies: [`{"action":"rollback",${ACME},"tx_id":"ACME:k1","round_id":"r1","amount":10,"ref_tx_id":"ACME:w1"}`],
    },
  ],
  ["getBalance", { by: "session", hex: "", bodies: [BALANCE_OF(ACME)] }],
  [
    "placeBet",
    {
      by: "session",
      hex: "1a0262322a02723230643a0342524c",
      bodies: [`{"action":"bet",${ACME},"tx_id":"ACME:b2","round_id":"r2","amount":1}`],
    },
  ],
  [
    "payWin",
    {
      by: "player",
      hex: "1a0277322a02723230073a0342524c4206667275697473",
      bodies: [`{"action":"win",${ACME},"tx_id":"ACME:w2","round_id":"r2","amount":0.07}`],
    },
  ],
  [
    "refundBet",
    {
      by: "player",
      hex: "1a026632220262322a02723230643a0342524c4206667275697473",
      bodies: [`{"action":"refund",${ACME},"tx_id":"ACME:f2","round_id":"r2","amount":1,"ref_tx_id":"ACME:b2"}`],
    },
  ],
  [
    "rollbackWin",
    {
      by: "player",
      hex: "1a026b32220277322a02723230073a0342524c4206667275697473",
      bodies: [`{"action":"rollback",${ACME},"tx_id":"ACME:k2","round_id":"r2","amount":0.07,"ref_tx_id":"ACME:w2"}`],
    },
  ],
  ["getBalance", { by: "player", hex: "4206667275697473", bodies: [BALANCE_OF(ACME)] }],
];

const SPORTSBOOK: readonly (readonly [keyof typeof BetService.method, Recorded])[] = [
  [
    "placeBetslip",
    {
      by: "session",
      hex: "120273311a0b0a0262311202723118fa011a0a0a026232120272321864220342524c",
      bodies: [
        `{"action":"bet",${BOOK},"tx_id":"SPORTSBOOK:b1","round_id":"r1","amount":2.5}`,
        `{"action":"bet",${BOOK},"tx_id":"SPORTSBOOK:b2","round_id":"r2","amount":1}`,
      ],
    },
  ],
  // The second bet is more than the player has, so the service refunds the first one.
  [
    "placeBetslip",
    {
      by: "session",
      hex: "120273321a0b0a0262331202723318fa011a0c0a0262341202723418c0843d220342524c",
      bodies: [
        `{"action":"bet",${BOOK},"tx_id":"SPORTSBOOK:b3","round_id":"r3","amount":2.5}`,
        `{"action":"bet",${BOOK},"tx_id":"SPORTSBOOK:b4","round_id":"r4","amount":10000}`,
        `{"action":"refund",${BOOK},"tx_id":"SPORTSBOOK:refund~b3","round_id":"r3","amount":2.5,"ref_tx_id":"SPORTSBOOK:b3"}`,
      ],
    },
  ],
  [
    "payWin",
    {
      by: "session",
      hex: "1a0277312202723128e807320342524c",
      bodies: [`{"action":"win",${BOOK},"tx_id":"SPORTSBOOK:w1","round_id":"r1","amount":10}`],
    },
  ],
  [
    "payWin",
    {
      by: "player",
      hex: "1a027732220272312807320342524c",
      bodies: [`{"action":"win",${BOOK},"tx_id":"SPORTSBOOK:w2","round_id":"r1","amount":0.07}`],
    },
  ],
  [
    "refundBet",
    {
      by: "player",
      hex: "1a026631220262312a02723130fa013a0342524c",
      bodies: [
        `{"action":"refund",${BOOK},"tx_id":"SPORTSBOOK:f1","round_id":"r1","amount":2.5,"ref_tx_id":"SPORTSBOOK:b1"}`,
      ],
    },
  ],
  [
    "refundBet",
    {
      by: "session",
      hex: "1a026632220262322a02723230643a0342524c",
      bodies: [
        `{"action":"refund",${BOOK},"tx_id":"SPORTSBOOK:f2","round_id":"r2","amount":1,"ref_tx_id":"SPORTSBOOK:b2"}`,
      ],
    },
  ],
  ["getBalance", { by: "session", hex: "", bodies: [BALANCE_OF(BOOK)] }],
  ["getBalance", { by: "player", hex: "", bodies: [BALANCE_OF(BOOK)] }],
];

/** The fields session_id (1) and player_ref (2) of every request. */
const FIELD = { session: 0x0a, player: 0x12 } as const;

test("every call of the last release's clients leads to the same bytes at the wallet", async (t) => {
  const world = await startSportsbookWorld(t);
  const caller = world.callerOf(world.first);
  const replay = async (
    method: (typeof WalletService.method)["placeBet"],
    { by, hex, bodies }: Recorded,
    names: Readonly<Record<Recorded["by"], string>>,
    key: string,
  ): Promise<void> => {
    const name = Buffer.from(names[by]);
    const raw = Buffer.concat([Buffer.from([FIELD[by], name.length]), name, Buffer.from(hex, "hex")]);
    const before = world.callbacks.length;
    await patiently(() => caller.call(method, {}, { keys: [key], raw }));
    t.deepEqual(
      world.callbacks.slice(before).map(({ body }) => body),
      bodies,
      `${method.name} by ${by}`,
    );
  };
  const token = (await world.launch()).searchParams.get("jwt") ?? "";
  const session = await world.ask(SessionService.method.exchangeToken, { token });
  if (typeof session === "string") throw new Error(session);
  await world.rest("POST", "/v1/game/launch", { player_id: "ana", game: "fruits" });
  const opened = world.opened.at(-1);
  const names = { session: opened?.sessionId ?? "", player: opened?.playerRef ?? "" };
  // The methods differ only in their messages, whose bytes are recorded.
  for (const [name, recorded] of PROVIDER)
    await replay(WalletService.method[name] as never, recorded, names, world.apiKey);
  for (const [name, recorded] of SPORTSBOOK)
    await replay(
      BetService.method[name] as never,
      recorded,
      { session: session.sessionId, player: session.playerRef },
      world.key,
    );
});

test("there is a recorded request of every call of the last release that reaches a wallet", (t) => {
  const released = readFileSync(new URL("../../proto/released.txtpb", import.meta.url), "utf8");
  const callsOf = (service: string, owner: string): string[] => {
    const file = released
      .split("\nfile: {")
      .find((text) => text.includes(`name: "aggregator/${owner}/v1/`) && text.includes(`name: "${service}"`));
    const block = file?.slice(file.indexOf(`name: "${service}"`)) ?? "";
    return [...block.matchAll(/method: \{\s+name: "(\w+)"/g)].map(([, name = ""]) => name);
  };
  const recorded = (calls: readonly (readonly [string, Recorded])[]) =>
    [...new Set(calls.map(([name]) => name.charAt(0).toUpperCase() + name.slice(1)))].sort();
  for (const [service, owner, calls] of [
    ["WalletService", "provider", PROVIDER],
    ["BetService", "sportsbook", SPORTSBOOK],
  ] as const)
    t.deepEqual(recorded(calls), callsOf(service, owner).sort(), service);
});

test("a win that names its bet, and the refund of a Reverse, have the bytes of a plain win and refund", async (t) => {
  const world = await startWorld(t);
  const sessionId = await world.session();
  const caller = world.callerOf(world.first);
  const money = { sessionId, roundId: "r1", currency: "BRL" };
  const { placeBet, payWin, reverse } = WalletService.method;
  const keys = { keys: world.keys };
  await patiently(() => caller.call(placeBet, { ...money, txId: "b1", amountMinor: 250n }, keys));
  const win = { ...money, txId: "w1", amountMinor: 1_000n, betTxId: "b1", settles: true };
  const paid = await patiently(() => caller.call(payWin, win, keys));
  t.is(paid.status, TransactionStatus.SUCCESS);
  t.is(world.callbacks.at(-1)?.body, WIN);
  await patiently(() => caller.call(reverse, { sessionId, txId: "f1", refTxId: "b1" }, keys));
  t.is(world.callbacks.at(-1)?.body, REFUND);
  const row = await world.database.knex("tx").where({ tx_id: "ACME:b1" }).first("settled_by", "reversed_by");
  t.is(row.settled_by, "ACME:w1");
  t.is(row.reversed_by, "ACME:f1");
});
