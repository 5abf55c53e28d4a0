import type { Words } from "../en/en.ts";

export const health: Pick<Words, "wallets"> = {
  wallets: {
    state: "Situação",
    states: {
      quiet: "Sem chamadas",
      quietNow: "Sem chamadas agora",
      counting: "Sendo contado",
      good: "Em ordem",
      someFail: "Algumas falham",
      failing: "Falha",
      slow: "Lenta",
      limited: (calls) => `Chamadas retidas: ${calls} por vez`,
    },
    calls: "Chamadas",
  },
};
