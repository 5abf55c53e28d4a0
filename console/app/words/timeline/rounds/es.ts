import type { TimelineWords } from "../en.ts";

export const rounds: TimelineWords["rounds"] = {
  title: "Rondas",
  lead: "Rondas de proveedores que avisan cuándo termina una ronda. Si una ronda sigue abierta mucho tiempo, su proveedor puede haberla perdido, o puede faltar el pago de un premio.",
  state: "Estado",
  states: { open: "Abierta", ended: "Terminada" },
  age: "Abierta",
  ages: {
    "0": "En cualquier momento",
    "3600": "Hace más de una hora",
    "86400": "Hace más de un día",
    "604800": "Hace más de una semana",
  },
  opened: "Abierta el",
  ended: "Terminada el",
  none: "No hay rondas aquí",
  noneText: "Aquí solo hay rondas de proveedores que avisan cuándo termina una ronda.",
};
