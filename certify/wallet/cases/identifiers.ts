import { NotTried } from "../../report/ending.ts";
import type { Player, Unusual } from "../calls/player.ts";
import type { Case, Category } from "../case.ts";

const BYTES =
  "Store ids as bytes or with a binary collation: in MySQL `VARCHAR(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin` (or VARBINARY(128)), elsewhere a type that compares bytes. Do not trim or normalise.";
const LENGTH =
  "Give tx_id, ref_tx_id and round_id 128 bytes, the game's code 128, the provider's 32. Let nothing be cut off.";

/** Two bets whose ids differ a little are different bets. */
const distinct = (
  id: string,
  title: string,
  ids: (own: string, player: Player) => readonly [string, string],
  fix = BYTES,
): Case => ({
  id,
  title,
  rule: "basic-bytes",
  fix,
  async run(it) {
    const before = await it.fund(it.player, 1_000n);
    const [first, second] = ids(it.player.txId(), it.player);
    await it.accepts(it.player.bet(100n, { tx_id: first }));
    await it.accepts(it.player.bet(200n, { tx_id: second }));
    await it.balanceIs(it.player, before - 300n, "two ids, two bets");
  },
});

/** A bet with unusual fields, its repeat and its refund. */
const taken = (
  id: string,
  title: string,
  rule: Case["rule"],
  fix: string,
  unusual: (player: Player) => Unusual,
): Case => ({
  id,
  title,
  rule,
  fix,
  async run(it) {
    const before = await it.fund(it.player, 1_000n);
    const fields = unusual(it.player);
    const bet = it.player.bet(250n, fields);
    await it.accepts(bet);
    await it.accepts(bet);
    await it.balanceIs(it.player, before - 250n, "one bet was taken");
    const { game, provider } = bet.fields;
    await it.accepts(it.player.refund(bet, { game, provider }));
    await it.balanceIs(it.player, before, "the bet was given back");
  },
});

/** A text of exactly this many bytes: `text`, and then filler letters. */
const padded = (text: string, bytes: number, filler = "x"): string =>
  text + filler.repeat(Math.floor((bytes - Buffer.byteLength(text)) / Buffer.byteLength(filler)));

const TEXT = "Keep ids as text. As numbers they lose leading zeros and their last digits.";

/** 20 digits that represent an id. */
const digits = (own: string): string =>
  `9${BigInt(`0x${Buffer.from(own).toString("hex")}`) % 10n ** 19n}`.padEnd(20, "0");

const cases: readonly Case[] = [
  taken("long-tx-id", "A tx_id of 128 bytes works, also as ref_tx_id", "basic-wire-id", LENGTH, (player) => ({
    tx_id: padded(player.txId(), 128),
  })),
  distinct(
    "last-byte",
    "Two tx_ids of 128 bytes that differ in the last one are two",
    (own) => [`${padded(own, 127)}a`, `${padded(own, 127)}b`],
    LENGTH,
  ),
  taken("utf-8-tx-id", "A tx_id of 128 bytes in letters outside of ASCII works", "basic-wire-id", LENGTH, (player) => ({
    tx_id: padded(`${player.txId()}é`, 128, "ã"),
  })),
  taken(
    "emoji",
    "A tx_id with an emoji works",
    "basic-bytes",
    "In MySQL use utf8mb4: `utf8` has no emoji.",
    (player) => ({ tx_id: `${player.txId()}🎰🇧🇷` }),
  ),
  taken(
    "punctuation",
    "A tx_id with quotes, backslashes, percent signs and SQL works",
    "basic-opaque",
    "Give ids to the database as parameters, never as part of a statement's text.",
    (player) => ({ tx_id: `${player.txId()}'";--\\%_/?#&<>$\{x}` }),
  ),
  distinct("case", "tx_ids that differ in upper and lower case are two", (own) => [`${own}-abc`, `${own}-ABC`]),
  distinct("accents", "tx_ids that differ in an accent are two", (own) => [`${own}-acao`, `${own}-ação`]),
  distinct("normal-forms", "tx_ids that differ in their Unicode form (é as one character or as two) are two", (own) => [
    `${own}-\u00e9`,
    `${own}-e\u0301`,
  ]),
  distinct("trailing-space", "tx_ids that differ in a space at the end are two", (own) => [own, `${own} `]),
  distinct(
    "long-numbers",
    "tx_ids of 21 digits that differ in the last one are two",
    (own) => [`CERTIFY:${digits(own)}2`, `CERTIFY:${digits(own)}3`],
    TEXT,
  ),
  distinct(
    "leading-zeros",
    "tx_ids of digits that differ in a zero at the front are two",
    (own) => [`CERTIFY:${digits(own)}4`, `CERTIFY:0${digits(own)}4`],
    TEXT,
  ),
  distinct(
    "providers",
    "The same own id of two providers is two tx_ids",
    (own) => [own, own.replace("CERTIFY:", "CERTIFY2:")],
    "Use the whole tx_id as the key, the provider's prefix included.",
  ),
  taken("long-round", "A round_id of 128 bytes works", "basic-opaque", LENGTH, (player) => ({
    round_id: padded(`${player.txId()}é`, 128, "ã"),
  })),
  taken(
    "long-game",
    "A game's code of 128 bytes, with letters outside of ASCII, works",
    "basic-opaque",
    LENGTH,
    () => ({ game: padded("jogo-é", 128, "ã") }),
  ),
  taken("long-provider", "A provider's code of 32 characters works", "basic-opaque", LENGTH, (player) => {
    const provider = padded("CERTIFY_", 32, "Z");
    return { provider, tx_id: player.txId().replace("CERTIFY:", `${provider}:`) };
  }),
  {
    id: "long-player",
    title: "An unknown player_id of 128 non-ASCII characters is rejected, and does not cause an error",
    rule: "contract-unknown",
    fix: "Give player_id 128 characters (512 bytes of UTF-8). Answer an unknown one with `ok` false, not with 500.",
    async run(it) {
      const player_id = `ç${"ã🎰".repeat(63)}é`;
      await it.rejects(it.player.query({ player_id }));
      await it.rejects(it.player.bet(100n, { player_id }));
    },
  },
  {
    id: "player-case",
    title: "A player_id that differs only in letter case is another player",
    rule: "basic-bytes",
    level: "should",
    fix: BYTES,
    async run(it) {
      const { id } = it.player;
      const player_id = id.toUpperCase() === id ? id.toLowerCase() : id.toUpperCase();
      if (player_id === id) throw new NotTried("The player's id has no letters.", false);
      await it.rejects(it.player.query({ player_id }));
    },
  },
  {
    id: "unknown-fields",
    title: "Fields that the wallet does not know are ignored",
    rule: "contract-ignore",
    fix: "Read the fields that you know and ignore the rest. Do not refuse unknown fields in your schema.",
    async run(it) {
      const before = await it.fund(it.player, 0n);
      const extra = {
        promotion: null,
        session: { id: 7, amount: 999, tx_id: "x" },
        tags: ["a", { ok: false }],
        note: "ã".repeat(500),
        v2: true,
      };
      await it.accepts({ ...it.player.query(), extra }, before);
      await it.accepts({ ...it.player.win(500n), extra });
      await it.balanceIs(it.player, before + 500n, "the win was paid, its own amount");
    },
  },
  {
    id: "key-order",
    title: "The order of the body's fields does not matter",
    rule: "contract-ignore",
    level: "should",
    fix: "Read the body with a JSON parser.",
    async run(it) {
      const before = await it.fund(it.player, 0n);
      const win = it.player.win(500n);
      await it.accepts({
        ...win,
        fields: Object.fromEntries(Object.entries(win.fields).reverse()) as unknown as typeof win.fields,
      });
      await it.balanceIs(it.player, before + 500n, "the win was paid");
    },
  },
];

export const identifiers: Category = { id: "identifiers", title: "Ids, names and unknown fields", cases };
