import type { TimelineWords } from "../en.ts";

export const rounds: TimelineWords["rounds"] = {
  title: "Rodadas",
  lead: "Rodadas de provedores que avisam quando uma rodada termina. Se uma rodada fica aberta por muito tempo, o provedor pode tê-la perdido, ou pode faltar o pagamento de um prêmio.",
  state: "Estado",
  states: { open: "Aberta", ended: "Terminada" },
  age: "Aberta",
  ages: {
    "0": "A qualquer momento",
    "3600": "Há mais de uma hora",
    "86400": "Há mais de um dia",
    "604800": "Há mais de uma semana",
  },
  opened: "Aberta em",
  ended: "Terminada em",
  none: "Nenhuma rodada aqui",
  noneText: "Aqui só há rodadas de provedores que avisam quando uma rodada termina.",
};
