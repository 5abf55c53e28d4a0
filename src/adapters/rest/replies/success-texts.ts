import type { Texts } from "../../../domain/values/language.ts";

/** The messages of successes for people, in each language. */
export const SUCCESS_TEXTS = {
  launch: { pt: "Jogo aberto.", es: "Juego abierto.", en: "The game is open." },
  merchant: { pt: "Dados do operador.", es: "Datos del operador.", en: "The merchant." },
  games: { pt: "Catálogo de jogos.", es: "Catálogo de juegos.", en: "The catalog's games." },
  game: { pt: "Jogo do catálogo.", es: "Juego del catálogo.", en: "A game of the catalog." },
  providers: { pt: "Provedores do catálogo.", es: "Proveedores del catálogo.", en: "The catalog's providers." },
  transactions: { pt: "Transações.", es: "Transacciones.", en: "Transactions." },
  transaction: { pt: "Transação.", es: "Transacción.", en: "Transaction." },
  resend: { pt: "Reenvio solicitado.", es: "Reenvío solicitado.", en: "It will be sent again." },
  rounds: { pt: "Rodadas.", es: "Rondas.", en: "Rounds." },
  round: { pt: "Rodada.", es: "Ronda.", en: "Round." },
  ggr: { pt: "Relatório de GGR.", es: "Informe de GGR.", en: "GGR report." },
} as const satisfies Record<string, Texts>;
