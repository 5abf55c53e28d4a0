/**
 * The agreed codes with which a wallet rejects a call. A wallet may send any other code; it is a rejection all the same.
 * The guides' and the specification's tables, the API's description, the certification's rules and the texts of the
 * console and the sandbox read this table or are generated out of it.
 */

type Texts = Readonly<Record<"pt" | "es" | "en", string>>;

interface WalletCode {
  /** When a wallet uses the code. Markdown. */
  readonly meaning: string;
  /** What a provider does when it gets the code. Markdown. */
  readonly provider: string;
  /** Whether a wallet rejects bets with it. */
  readonly ofBets?: true;
  /** The reason in the timeline of the console. */
  readonly console: Texts;
  /** What a game says to the player; absent: the games of the sandbox have their own text. */
  readonly player?: Texts;
}

export const WALLET_CODES = {
  INSUFFICIENT_FUNDS: {
    meaning: "the balance is too low for the bet",
    provider: "show the balance of the reply, and offer `deposit_url` if the launch has one. A smaller bet may succeed",
    ofBets: true,
    console: { pt: "o saldo não é suficiente", es: "el saldo no alcanza", en: "the balance is too low" },
  },
  PLAYER_NOT_FOUND: {
    meaning: "you have no player with this player_id",
    provider: "stop the session, and tell us",
    ofBets: true,
    console: {
      pt: "a carteira não conhece o jogador",
      es: "la billetera no conoce al jugador",
      en: "the wallet does not know the player",
    },
  },
  PLAYER_BLOCKED: {
    meaning:
      "the player may not bet, for a reason that has no code of its own, such as fraud. A block stops bets, but never credits",
    provider: "take no more bets in this session. Let a running round end, and pay its wins",
    ofBets: true,
    console: { pt: "o jogador está bloqueado", es: "el jugador está bloqueado", en: "the player is blocked" },
  },
  LIMIT_REACHED: {
    meaning: "the bet exceeds a limit of the player: for stakes, losses or deposits, in a day, a week or a month",
    provider: "say that a limit is reached. A smaller bet may succeed. Do not try again by yourself",
    ofBets: true,
    console: {
      pt: "um limite do jogador foi atingido",
      es: "se alcanzó un límite del jugador",
      en: "a limit of the player is reached",
    },
    player: {
      pt: "Você atingiu um limite da sua conta.",
      es: "Alcanzaste un límite de tu cuenta.",
      en: "You have reached a limit of your account.",
    },
  },
  SELF_EXCLUDED: {
    meaning: "the player has excluded themselves from playing",
    provider: "end the session after the running round, and show no offer to play on",
    ofBets: true,
    console: { pt: "o jogador se autoexcluiu", es: "el jugador se autoexcluyó", en: "the player is self-excluded" },
    player: {
      pt: "Sua autoexclusão está ativa. Não é possível apostar.",
      es: "Tu autoexclusión está activa. No puedes apostar.",
      en: "Your self-exclusion is active. You can't bet.",
    },
  },
  SESSION_LIMIT: {
    meaning: "the time or the loss that the player or the law allows for one session is used up",
    provider: "take no more bets in this session, and send the player to `lobby_url`. A new launch may bet again",
    ofBets: true,
    console: {
      pt: "o limite da sessão foi atingido",
      es: "se alcanzó el límite de la sesión",
      en: "the limit of the session is reached",
    },
    player: {
      pt: "O limite desta sessão foi atingido. Faça uma pausa.",
      es: "Se alcanzó el límite de esta sesión. Haz una pausa.",
      en: "The limit of this session is reached. Take a break.",
    },
  },
  GEO_BLOCKED: {
    meaning: "the player may not bet from the place where they are",
    provider: "take no more bets in this session. The player may come back from another place with a new launch",
    ofBets: true,
    console: {
      pt: "apostas não são permitidas onde o jogador está",
      es: "no se permiten apuestas donde está el jugador",
      en: "bets are not allowed where the player is",
    },
    player: {
      pt: "Não é possível apostar de onde você está.",
      es: "No puedes apostar desde donde estás.",
      en: "You can't bet from where you are.",
    },
  },
  TRANSACTION_NOT_FOUND: {
    meaning: "you never applied the bet or win that is reversed",
    provider: "nothing is left to do: the money of the bet or win has not moved",
    console: {
      pt: "a carteira não conhece a transação",
      es: "la billetera no conoce la transacción",
      en: "the wallet does not know the transaction",
    },
  },
} as const satisfies Record<string, WalletCode>;

export const WALLET_CODE_NAMES = Object.keys(WALLET_CODES) as readonly (keyof typeof WALLET_CODES)[];

const entries: readonly (readonly [string, WalletCode])[] = Object.entries(WALLET_CODES);

/** The codes with which a wallet rejects a bet. */
export const BET_CODES = entries.flatMap(([code, { ofBets }]) => (ofBets ? [code] : []));

/** What a game says to a player, by code. */
export const playerTexts = (language: keyof Texts): Readonly<Record<string, string>> =>
  Object.fromEntries(entries.flatMap(([code, { player }]) => (player === undefined ? [] : [[code, player[language]]])));
