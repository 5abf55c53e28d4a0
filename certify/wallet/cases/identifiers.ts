import { NotTried } from "../../report/ending.ts";
import type { Callback } from "../calls/callback.ts";
import type { Player, Unusual } from "../calls/player.ts";
import type { Case, Category } from "../case.ts";

const BYTES =
  "Store ids as bytes or with a binary collation: in MySQL `VARCHAR(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin` (or VARBINARY(128)), elsewhere a type that compares bytes. Do not trim or normalise.";
const LENGTH =
  "Give tx_id, ref_tx_id and round_id 128 bytes, the game's code 128, the provider's 32. Let nothing be cut off.";

/**
 * Two bets whose ids differ a little are different bets, each with its own refund. First only one of them comes: its
 * refund under the other's id finds nothing.
 */
const distinct = (
  id: string,
  difference: string,
  ids: (own: string) => readonly [string, string],
  fix = BYTES,
): readonly Case[] => [
  {
    id,
    title: `tx_ids that differ in ${difference} are two`,
    rule: "basic-bytes",
    fix,
    async run(it) {
      const before = await it.fund(it.player, 1_000n);
      const [first, second] = ids(it.player.txId());
      await it.accepts(it.player.bet(100n, { tx_id: first }));
      await it.accepts(it.player.bet(200n, { tx_id: second }));
      await it.balanceIs(it.player, before - 300n, "two ids, two bets");
    },
  },
  {
    id: `${id}-reference`,
    title: `ref_tx_ids that differ in ${difference} name two bets`,
    rule: "basic-bytes",
    fix: `${fix} That holds for ref_tx_id, too.`,
    async run(it) {
      const before = await it.fund(it.player, 1_000n);
      const [came, other] = ids(it.player.txId()).map((tx_id) => it.player.bet(100n, { tx_id })) as [
        Callback,
        Callback,
      ];
      await it.accepts(came);
      await it.rejects(it.player.refund(other));
      await it.balanceIs(it.player, before - 100n, "the bet that the refund names never came");
      const [first, second] = ids(it.player.txId()).map((tx_id) => it.player.bet(100n, { tx_id })) as [
        Callback,
        Callback,
      ];
      for (const bet of [first, second]) await it.accepts(bet);
      for (const bet of [first, second, came]) await it.accepts(it.player.refund(bet));
      await it.balanceIs(it.player, before, "each bet was given back");
    },
  },
];

/** The player's id, changed a little, names nobody. */
const nobody = (id: string, difference: string, change: (player: string) => string): Case => ({
  id,
  title: `A player_id that differs from a player's in ${difference} names nobody`,
  rule: "basic-bytes",
  fix: BYTES,
  async run(it) {
    const before = await it.fund(it.player, 1_000n);
    const player_id = change(it.player.id);
    if (player_id === it.player.id)
      throw new NotTried(`The player's id has nothing that could differ in ${difference}.`, false);
    await it.rejects(it.player.query({ player_id }));
    await it.rejects(it.player.bet(100n, { player_id }));
    await it.balanceIs(it.player, before, "the bet was another player's");
  },
});

/** The text with the first letter of the other case. */
const otherCase = (text: string): string =>
  text.replace(/\p{L}/u, (letter) => (letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase()));
/** The text with an accent on its first vowel, or at its end, or without the accents that it has. */
const otherAccent = (text: string): string => {
  const bare = text.normalize("NFD").replace(/\p{Mn}/gu, "");
  return bare === text.normalize("NFD") ? text.replace(/[aeiou]|$/i, "$&\u0301").normalize("NFC") : bare;
};

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
  ...distinct(
    "last-byte",
    "the last one of 128 bytes",
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
  ...distinct("case", "upper and lower case", (own) => [`${own}-abc`, `${own}-ABC`]),
  ...distinct("accents", "an accent", (own) => [`${own}-acao`, `${own}-ação`]),
  ...distinct("normal-forms", "their Unicode form (é as one character or as two)", (own) => [
    `${own}-\u00e9`,
    `${own}-e\u0301`,
  ]),
  ...distinct("trailing-space", "a space at the end", (own) => [own, `${own} `]),
  ...distinct(
    "emojis",
    "an emoji",
    (own) => [`${own}-🎰`, `${own}-🎲`],
    `${BYTES} In MySQL \`utf8\` has no emoji and may store a question mark.`,
  ),
  ...distinct(
    "long-numbers",
    "the last one of 21 digits",
    (own) => [`CERTIFY:${digits(own)}2`, `CERTIFY:${digits(own)}3`],
    TEXT,
  ),
  ...distinct(
    "leading-zeros",
    "a zero in front of their digits",
    (own) => [`CERTIFY:${digits(own)}4`, `CERTIFY:0${digits(own)}4`],
    TEXT,
  ),
  ...distinct(
    "providers",
    "the provider before the same own id",
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
  nobody("player-case", "the case of a letter", otherCase),
  nobody("player-accent", "an accent", otherAccent),
  nobody("player-space", "a space at its end", (id) => `${id} `),
  nobody("player-space-before", "a space before it", (id) => ` ${id}`),
  nobody("player-zero", "a zero before it", (id) => `0${id}`),
  nobody("player-emoji", "an emoji at its end", (id) => `${id}🎰`),
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
    id: "kinds",
    title: "Bets and wins with a kind and a promotion are applied, also with a kind of a later release",
    rule: "contract-ignore",
    fix: "`kind` and `promo_id` say what the money is for, and `round_ended` that the round is over. Store them if you want. Never refuse a callback because of them.",
    async run(it) {
      const before = await it.fund(it.player, 1_000n);
      const [tip, unknown] = [it.player.bet(100n), it.player.win(300n)];
      await it.accepts({ ...tip, extra: { kind: "tip", round_ended: true } });
      await it.accepts({ ...it.player.win(500n), extra: { kind: "jackpot", promo_id: "ã 1", round_ended: true } });
      await it.accepts({ ...unknown, extra: { kind: "kind_of_a_later_release", promo_id: "p".repeat(128) } });
      await it.accepts({ ...unknown, extra: { kind: "kind_of_a_later_release", promo_id: "p".repeat(128) } });
      await it.balanceIs(it.player, before + 700n, "each transaction was applied once, with its own amount");
    },
  },
  {
    id: "promotion-without-round",
    title: "Wins of a promotion, which have no bet and whose round is the promotion, are paid",
    rule: "contract-no-order",
    fix: "A prize of a promotion has no bet. Its `round_id` is its `promo_id`, so many wins of many players have it.",
    async run(it) {
      const before = await it.fund(it.player, 0n);
      const round = { round_id: it.player.txId() };
      const extra = { kind: "prize_drop", promo_id: round.round_id };
      for (const amount of [100n, 100n]) await it.accepts({ ...it.player.win(amount, round), extra });
      await it.balanceIs(it.player, before + 200n, "both prizes were paid");
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
