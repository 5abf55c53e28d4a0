import type { Words } from "../en/en.ts";

export const stuck: Pick<Words, "stuck"> = {
  stuck: {
    kind: "Tipo",
    kinds: {
      unanswered: "Sin respuesta – debes actuar",
      owed: "Rechazado – debes actuar",
      retrying: "Se está intentando",
      pending: "Apuestas y reversiones más allá del horizonte",
      contradiction: "Contradicciones",
      slip: "Cupones sin final",
    },
    all: "Todos los operadores",
    stop: "Detener",
  },
};
