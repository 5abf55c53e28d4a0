import { actions, fields } from "../../gen/audit-es.ts";

import type { SetUpWords } from "../en/en.ts";

export const audit: SetUpWords["audit"] = {
  title: "Auditoría",
  lead: "Quién hizo qué, cuándo y por qué. Las entradas nunca se cambian ni se borran.",
  none: "Aquí no hay entradas",
  action: "Acción",
  changes: "Qué cambió",
  field: "Campo",
  before: "Antes",
  after: "Después",
  nothing: "nada",
  actions,
  fields,
  all: "Todas las entradas",
  any: "Todas las acciones",
  yes: "Sí",
  no: "No",
  statusOf: (id) => `Estado de ${id}`,
  reads: "También consultas e inicios de sesión",
  recordHint: "Un tipo y un código: merchant shop-brl",
  withKind: "Un registro es un tipo y un código. Busca:",
  whole: "Mostrar los valores completos",
};
