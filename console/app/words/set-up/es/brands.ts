import type { SetUpWords } from "../en/en.ts";

export const brands: SetUpWords["brands"] = {
  title: "Marcas",
  lead: "Una marca agrupa los operadores de una empresa y da su aspecto a las apuestas deportivas.",
  none: "Todavía no hay marcas",
  noneText: "Cada operador pertenece a una marca. Crea primero la marca.",
  back: "Todas las marcas",
  create: "Crear una marca",
  codeHint: "1 a 64 letras, dígitos, _ y -. No cambia nunca.",
  theme: "Tema",
  layout: "Disposición",
  layouts: { sidebar: "Barra lateral", classic: "Lista clásica", tile: "Tarjetas" },
  noLanguage: "Português (predeterminado)",
  origins: "Páginas que pueden mostrar las apuestas deportivas",
  originsHint: "Orígenes, uno por línea: https://shop.example",
  settings: "Más ajustes",
  settingsHint: "Un objeto JSON. El sitio de apuestas lo recibe sin cambios.",
  preview: "Vista previa",
  previewText: "El sitio de apuestas con este tema, disposición e idioma. Mirar no guarda nada.",
  noSportsbook:
    "No hay vista previa, porque el servicio no conoce la dirección del sitio de apuestas (SPORTSBOOK_URL).",
  noBrandYet:
    "El sitio de apuestas todavía no conoce ninguna marca. La vista previa aparece cuando la marca está creada.",
  noPreview: "No se puede mostrar el sitio de apuestas",
  notAllowed: (origin) =>
    `El sitio de apuestas muestra una marca solo en las páginas que la marca nombra. Agrega ${origin} a las páginas que pueden mostrarlo, guarda, y prueba otra vez después de unos segundos.`,
  unreachable: (url) => `No hay una respuesta útil de ${url}.`,
  allow: "Agregar esta página",
};
