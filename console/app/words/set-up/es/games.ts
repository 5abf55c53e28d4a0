import type { SetUpWords } from "../en/en.ts";

export const games: SetUpWords["games"] = {
  title: "Importar juegos",
  lead: "El archivo agrega o cambia solo los juegos que contiene. Antes ves lo que hará.",
  known: (many) => `Juegos en el catálogo: ${many}`,
  file: "Archivo con juegos",
  fileHint: "Un archivo cuyo nombre termina en .csv o .json, de 64 MiB como máximo",
  checking: "El archivo se está revisando. Todavía no cambia nada.",
  sum: (created, updated, unchanged) => `Nuevos: ${created}. Cambiados: ${updated}. Sin cambios: ${unchanged}.`,
  nothing: "El catálogo ya tiene todo lo de este archivo.",
  changed: "Cambiados",
  changes: "Qué cambia",
  new: "Nuevos",
  deactivated: (many) => `El archivo desactiva juegos, que los jugadores dejan de ver: ${many}`,
  missing: "No están en el archivo",
  missingText: "Estos juegos están en el catálogo y se pueden abrir. La importación no los cambia.",
  more: (many) => `Y ${many} más.`,
  faults: "Líneas incorrectas",
  wrong: (many) => `Entradas incorrectas: ${many}`,
  wrongText: "No cambia nada. Corrige el archivo y elígelo de nuevo.",
  stopped: (sum) => `Una parte del archivo se guardó antes del error: ${sum} Corrige el archivo e impórtalo de nuevo.`,
  line: "Línea",
  rule: "Qué se espera",
  act: "Importar",
  effect:
    "Cada campo de estos juegos recibe el valor del archivo. Un campo que el archivo no tiene pasa a ser desconocido. Solo “activo” queda como está.",
  done: "Los juegos están importados.",
};
