/** What strangers may send: each API gives its own answer, never a 500, and nothing moves. One table for all APIs. */
import test from "ava";
import { evolutionFields, startEvolutionStage } from "../../testbed/connectors/evolution.ts";
import { hubFields, startHubStage } from "../../testbed/connectors/hub88.ts";
import { pragmaticFields, startPragmaticStage } from "../../testbed/connectors/pragmatic.ts";
import { startSlotegratorStage } from "../../testbed/connectors/slotegrator.ts";
import type { ProviderCall, Stage } from "../../testbed/connectors/stage.ts";
import type { Scope } from "../../testbed/stage/world.ts";

type Body = string | Buffer;
type Fields = Readonly<Record<string, unknown>>;

const asItIs = (text: string): Body => text;

/** A connector, and how its provider writes and signs a bet of 2.50. */
interface Subject {
  readonly origin: string;
  balance(): bigint;
  /** Whether the service has refused a call because this machine is busy. */
  wasBusy(): Promise<boolean>;
  /** A good bet with these fields changed. The names are those of this file; `raw`: changes the body's text. */
  bet(changes?: Changes): Sent;
  /** A session of another player at another merchant. */
  readonly other: Fields;
  /** The result that an answer names. */
  resultOf(answer: Fields): string;
}

interface Changes {
  readonly player?: string;
  readonly game?: string;
  readonly currency?: string;
  readonly amount?: string;
  readonly id?: string;
  /** Further fields, as they are. */
  readonly more?: Fields;
  readonly raw?: (body: string) => Body;
}

interface Sent extends Omit<ProviderCall, "body"> {
  readonly body: Body;
}

interface Api {
  readonly start: (t: Scope) => Promise<Subject>;
  readonly isForm: boolean;
  /** The results that this API has for each kind of fault. */
  readonly results: Readonly<Record<Kind, string>>;
  /** The HTTP status of a wrong signature, if it is not 200. */
  readonly wrongSignatureHttp?: number;
}

const KINDS = ["ok", "signature", "player", "game", "currency", "amount", "syntax", "form", "id"] as const;
type Kind = (typeof KINDS)[number];

/** JSON whose amount is written as given, because JSON.stringify would write it anew. */
const json = (fields: object, amount: string): string => JSON.stringify(fields).replace('"<amount>"', amount);

const placeOf = ({ origin, balance, wasBusy }: Stage): Pick<Subject, "origin" | "balance" | "wasBusy"> => ({
  origin,
  balance: () => balance(),
  wasBusy,
});

const hub =
  (api: "hub88" | "caleta") =>
  async (t: Scope): Promise<Subject> => {
    const stage = await startHubStage(t, api);
    const who = await stage.open();
    return {
      ...placeOf(stage),
      other: await stage.open({}, "shop-clp"),
      resultOf: ({ status }) => String(status),
      bet({ player, game, currency, amount = "250000", id, more, raw = asItIs } = {}) {
        // Caleta has the player in supplier_user.
        const user = api === "caleta" ? { user: undefined } : {};
        const named = { ...(player && { [api === "caleta" ? "supplier_user" : "user"]: player }) };
        const names = { ...user, ...named, ...(game && { game_code: game }) };
        const ids = { ...(currency && { currency }), ...(id && { transaction_uuid: id }) };
        const fields = hubFields(who, { ...names, ...ids, amount: "<amount>", ...more });
        return stage.signed("bet", raw(json(fields, amount)));
      },
    };
  };

const evolution = async (t: Scope): Promise<Subject> => {
  const stage = await startEvolutionStage(t);
  const who = await stage.open();
  let number = 0;
  return {
    ...placeOf(stage),
    other: { ...(await stage.open({}, "shop-clp")) },
    resultOf: ({ status }) => String(status),
    bet({ player, currency, amount = "2.5", id = `ref-${number++}`, more, raw = asItIs } = {}) {
      const names = { ...(player && { userId: player }), ...(currency && { currency }) };
      const fields = evolutionFields(who, id, 0, { ...names, ...more });
      const transaction = { ...fields.transaction, amount: "<amount>" };
      return { ...stage.request("debit", {}), body: raw(json({ ...fields, transaction }, amount)) };
    },
  };
};

const pragmatic = async (t: Scope): Promise<Subject> => {
  const stage = await startPragmaticStage(t);
  const { userId } = await stage.open();
  return {
    ...placeOf(stage),
    other: { userId: (await stage.open({}, "shop-clp")).userId },
    resultOf: ({ error }) => String(error),
    bet({ player = userId, game, amount, id, more, raw = asItIs } = {}) {
      const names = { ...(game && { gameId: game }), ...(amount && { amount }), ...(id && { reference: id }) };
      const call = stage.request("bet", { ...pragmaticFields(player, names), ...(more as Record<string, string>) });
      return { ...call, body: raw(call.body) };
    },
  };
};

const slotegrator = async (t: Scope): Promise<Subject> => {
  const stage = await startSlotegratorStage(t);
  const who = await stage.open();
  let number = 0;
  return {
    ...placeOf(stage),
    other: await stage.open({}, "shop-clp"),
    resultOf: ({ error_code }) => String(error_code ?? "ok"),
    bet({ player, game = "lucky", currency = "BRL", amount = "2.50", id, more, raw = asItIs } = {}) {
      const names = { action: "bet", type: "bet", game_uuid: game, currency, amount };
      const ids = { transaction_id: id ?? `tx-${number++}`, ...who, ...(player && { player_id: player }) };
      const call = stage.request({ ...names, ...ids, ...(more as Record<string, string>) });
      return { ...call, body: raw(call.body) };
    },
  };
};

const HUB_RESULTS: Api["results"] = {
  ok: "RS_OK",
  signature: "RS_ERROR_INVALID_SIGNATURE",
  player: "RS_ERROR_INVALID_TOKEN",
  game: "RS_ERROR_INVALID_GAME",
  currency: "RS_ERROR_WRONG_CURRENCY",
  amount: "RS_ERROR_WRONG_TYPES",
  syntax: "RS_ERROR_WRONG_SYNTAX",
  form: "RS_ERROR_WRONG_TYPES",
  id: "RS_ERROR_WRONG_TYPES",
};
const every = (result: string, ok: string): Api["results"] =>
  Object.fromEntries(KINDS.map((kind) => [kind, kind === "ok" ? ok : result])) as Record<Kind, string>;

const APIS: Readonly<Record<string, Api>> = {
  hub88: { start: hub("hub88"), isForm: false, results: HUB_RESULTS },
  caleta: { start: hub("caleta"), isForm: false, results: HUB_RESULTS },
  evolution: {
    start: evolution,
    isForm: false,
    // A table that the catalog does not have is a part of the session's game.
    results: { ...every("INVALID_PARAMETER", "OK"), signature: "INVALID_TOKEN_ID", player: "INVALID_SID", game: "OK" },
  },
  pragmatic: {
    start: pragmatic,
    isForm: true,
    results: { ...every("7", "0"), signature: "5", player: "2", game: "8" },
  },
  slotegrator: {
    start: slotegrator,
    isForm: true,
    results: every("INTERNAL_ERROR", "ok"),
    wrongSignatureHttp: 403,
  },
};

const DEEP = 10_000;
const LONE_SURROGATE = "\\ud800";

/** Bodies that are wrong as texts. The signature is over the body, where the API signs bodies. */
const WRONG_JSON: Readonly<Record<string, (body: string) => Body>> = {
  "an empty body": () => "",
  "no JSON": () => "bet",
  "no object": (body) => `[${body}]`,
  "text behind the object": (body) => `${body}{}`,
  "an object without an end": (body) => body.slice(0, -1),
  "a key that comes twice": (body) => body.replace("{", '{"currency":"CLP",'),
  "a key that comes twice, escaped": (body) => body.replace("{", '{"currenc\\u0079":"CLP",'),
  "a body that is too large": (body) => body.replace("{", `{"large":"${"x".repeat(70_000)}",`),
  "bytes that are not UTF-8": (body) => Buffer.from(body.replace("{", '{"more":"\xff",'), "latin1"),
  "UTF-16": (body) => Buffer.from(`\ufeff${body}`, "utf16le"),
  "a byte order mark": (body) => `\ufeff${body}`,
  "lists that are nested deep": (body) => body.replace("{", `{"more":${"[".repeat(DEEP)}${"]".repeat(DEEP)},`),
  "objects that are nested deep": (body) =>
    body.replace("{", `{"more":${'{"a":'.repeat(DEEP / 2)}1${"}".repeat(DEEP / 2)},`),
  "a comment": (body) => body.replace("{", "{/* bet */"),
  "a number with a leading zero": (body) => body.replace("{", '{"more":01,'),
};

const WRONG_FORM: Readonly<Record<string, (body: string) => Body>> = {
  "an empty body": () => "",
  JSON: () => '{"action":"bet"}',
  "a field that comes twice": (body) => `${body}&amount=1.00`,
  "a field that comes twice, encoded": (body) => `${body}&%61mount=1.00`,
  "a body that is too large": (body) => `${body}&large=${"x".repeat(70_000)}`,
  "bytes that are not UTF-8": (body) => Buffer.from(`${body}&more=\xff`, "latin1"),
  "encoded bytes that are not UTF-8": (body) => `${body}&more=%ff`,
  "a percent sign without digits": (body) => `${body}&more=%zz`,
  "a field that is nested deep": (body) => `${body}&more${"[a]".repeat(DEEP / 4)}=1`,
};

const WRONG_AMOUNTS = {
  json: ["1e30", "1e99", "1e-99", "-1", "-0.01", '"2.50"', "null", "true", "{}", "[1]", `1${"0".repeat(40)}`],
  form: ["1e30", "-1", "+1", "1,5", "NaN", "Infinity", "0x10", "1.", ".5", "٣", "9".repeat(40)],
} as const;

for (const [name, { start, isForm, results, wrongSignatureHttp = 200 }] of Object.entries(APIS))
  test(`${name} gets its own answer to bad input, and nothing moves`, async (t) => {
    const subject = await start(t);
    const send = async (call: Sent): Promise<readonly [http: number, result: string]> => {
      const { path, headers } = call;
      const body = new Uint8Array(Buffer.from(call.body));
      const reply = await fetch(`${subject.origin}${path}`, { method: "POST", headers, body });
      const result = subject.resultOf((await reply.json()) as Fields);
      return (await subject.wasBusy()) ? send(call) : [reply.status, result];
    };
    const refused = async (what: string, sent: Sent, ...kinds: readonly Kind[]) => {
      const [http, result] = await send(sent);
      const isSignature = kinds.includes("signature") && result === results.signature && wrongSignatureHttp === http;
      t.true(http === 200 || isSignature, `${what}: HTTP ${http}`);
      t.true(
        kinds.some((kind) => results[kind] === result),
        `${what}: ${result}`,
      );
    };

    // A hash over the fields cannot fit a body whose fields cannot be read.
    for (const [what, raw] of Object.entries(isForm ? WRONG_FORM : WRONG_JSON))
      await refused(what, subject.bet({ raw }), "syntax", "form", ...(isForm ? (["signature"] as const) : []));
    const signed = subject.bet();
    const unsigned = Object.fromEntries(
      Object.entries(signed.headers).map(([header, value]) => [header, header === "content-type" ? value : "AAAA"]),
    );
    const path = signed.path.replace(/authToken=.*/, "authToken=wrong");
    const body = String(signed.body).replace(/hash=[0-9a-f]+/, `hash=${"0".repeat(32)}`);
    await refused("a wrong signature", { ...signed, path, headers: unsigned, body }, "signature");
    const none = { "content-type": "application/json" };
    await refused("no signature", { ...signed, path: path.split("?")[0] ?? "", headers: none, body }, "signature");
    await refused("an unknown player", subject.bet({ player: "nobody" }), "player");
    await refused(
      "the session of a player with another currency",
      subject.bet({ more: subject.other }),
      "player",
      "currency",
      "form",
    );
    if (results.game !== results.ok) await refused("an unknown game", subject.bet({ game: "unknown" }), "game");
    for (const currency of isForm && name === "pragmatic" ? [] : ["CLP", "EUR", "XXXXXXXXX", "brl"])
      await refused(`the currency ${currency}`, subject.bet({ currency }), "currency", "form", "syntax");
    for (const amount of WRONG_AMOUNTS[isForm ? "form" : "json"])
      await refused(`the amount ${amount}`, subject.bet({ amount }), "amount", "form", "syntax");
    const ids = ["x".repeat(300), "a\u0000b", "line\nbreak", "\u0085", ...(isForm ? [] : [LONE_SURROGATE])];
    for (const id of ids) {
      const raw = (text: string) => text.replace("\\\\ud800", LONE_SURROGATE);
      await refused(`the id ${JSON.stringify(id)}`, subject.bet({ id, raw }), "id", "form", "syntax");
    }
    t.is(subject.balance(), 10_000n);

    const more = { is_new: "x", "an unknown field": "é ~*'()!", __proto_: "1" };
    t.deepEqual(await send(subject.bet({ more })), [200, results.ok], "unknown fields are no fault");
    t.deepEqual(await send(subject.bet({ id: "an id with é, spaces and ~*'()!" })), [200, results.ok]);
    t.is(subject.balance(), 9_500n);
  });
