import type { Words } from "../en/en.ts";

export const health: Pick<Words, "wallets"> = {
  wallets: {
    state: "Estado",
    states: {
      quiet: "Sin llamadas",
      quietNow: "Sin llamadas ahora",
      counting: "Se está contando",
      good: "En orden",
      someFail: "Algunas fallan",
      failing: "Falla",
      slow: "Lenta",
      limited: (calls) => `Llamadas retenidas: ${calls} a la vez`,
    },
    calls: "Llamadas",
  },
};
