import type { SetUpWords } from "../en/en.ts";

export const brands: SetUpWords["brands"] = {
  title: "Marcas",
  lead: "Uma marca agrupa os operadores de uma empresa e dá a aparência das apostas esportivas deles.",
  none: "Nenhuma marca ainda",
  noneText: "Cada operador pertence a uma marca. Crie primeiro a marca.",
  back: "Todas as marcas",
  create: "Criar uma marca",
  codeHint: "1 a 64 letras, dígitos, _ e -. Nunca muda.",
  theme: "Tema",
  layout: "Disposição",
  layouts: { sidebar: "Barra lateral", classic: "Lista clássica", tile: "Cartões" },
  noLanguage: "Português (padrão)",
  origins: "Páginas que podem mostrar as apostas esportivas",
  originsHint: "Origens, uma por linha: https://shop.example",
  settings: "Mais ajustes",
  settingsHint: "Um objeto JSON. O site de apostas o recebe sem mudanças.",
  preview: "Prévia",
  previewText: "O site de apostas com este tema, disposição e idioma. Olhar não grava nada.",
  noSportsbook: "Não há prévia, porque o serviço não conhece o endereço do site de apostas (SPORTSBOOK_URL).",
  noBrandYet: "O site de apostas ainda não conhece nenhuma marca. A prévia aparece depois que a marca é criada.",
  noPreview: "Não é possível mostrar o site de apostas",
  notAllowed: (origin) =>
    `O site de apostas mostra uma marca só nas páginas que a marca nomeia. Inclua ${origin} nas páginas que podem mostrá-lo, salve, e tente de novo depois de alguns segundos.`,
  unreachable: (url) => `Não há resposta útil de ${url}.`,
  allow: "Incluir esta página",
};
