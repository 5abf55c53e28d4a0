import { actions, fields } from "../../gen/audit-pt.ts";

import type { SetUpWords } from "../en/en.ts";

export const audit: SetUpWords["audit"] = {
  title: "Auditoria",
  lead: "Quem fez o quê, quando e por quê. As entradas nunca são alteradas nem apagadas.",
  none: "Nenhuma entrada aqui",
  action: "Ação",
  changes: "O que mudou",
  field: "Campo",
  before: "Antes",
  after: "Depois",
  nothing: "nada",
  actions,
  fields,
  all: "Todos os registros",
  any: "Todas as ações",
  yes: "Sim",
  no: "Não",
  statusOf: (id) => `Situação de ${id}`,
  reads: "Também consultas e entradas",
  recordHint: "Um tipo e um código: merchant shop-brl",
  withKind: "Um registro é um tipo e um código. Procure:",
  whole: "Mostrar os valores inteiros",
};
