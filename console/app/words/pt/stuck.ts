import type { Words } from "../en/en.ts";

export const stuck: Pick<Words, "stuck"> = {
  stuck: {
    kind: "Tipo",
    kinds: {
      unanswered: "Sem resposta – você precisa agir",
      owed: "Recusado – você precisa agir",
      retrying: "Em reenvio",
      pending: "Apostas e reversões além do horizonte",
      contradiction: "Contradições",
      slip: "Cupons sem fim",
    },
    all: "Todos os operadores",
    stop: "Parar",
  },
};
