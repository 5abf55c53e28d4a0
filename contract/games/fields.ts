/**
 * The fields of a game in a file for the import, in the order of the template. The service checks by their rules, and
 * the console shows the rules and writes the template.
 */

type Languages = Readonly<Record<"en" | "es" | "pt", string>>;

export interface GameField {
  /** Absent: a game may leave the field out. */
  readonly isRequired?: true;
  /** What a value must be. */
  readonly rule: Languages;
  /** What a cell of a CSV file must be, if the field is an object that has several columns. */
  readonly cellRule?: Languages;
  /** The columns of a CSV file that have the field, each with an example of a cell. */
  readonly columns: Readonly<Record<string, string>>;
}

/** The largest number of language tags in a list, and of names. */
export const LANGUAGES_MAX = 100;
/** The largest number of characters in a game's name. */
export const GAME_NAME_MAX = 255;

const FLAG: Languages = { en: "true or false", es: "true (sí) o false (no)", pt: "true (sim) ou false (não)" };

export const GAME_FIELDS = {
  provider: {
    isRequired: true,
    rule: {
      en: "the code of a provider that exists",
      es: "el código de un proveedor que existe",
      pt: "o código de um provedor que existe",
    },
    columns: { provider: "ACME" },
  },
  code: {
    isRequired: true,
    rule: {
      en: "1 to 128 bytes without control characters",
      es: "de 1 a 128 bytes sin caracteres de control",
      pt: "de 1 a 128 bytes sem caracteres de controle",
    },
    columns: { code: "fruits" },
  },
  name: {
    isRequired: true,
    rule: {
      en: `1 to ${GAME_NAME_MAX} characters`,
      es: `de 1 a ${GAME_NAME_MAX} caracteres`,
      pt: `de 1 a ${GAME_NAME_MAX} caracteres`,
    },
    columns: { name: "Fruits" },
  },
  type: {
    isRequired: true,
    rule: { en: "slot or live", es: "slot o live", pt: "slot ou live" },
    columns: { type: "slot" },
  },
  demo_available: { rule: FLAG, columns: { demo_available: "true" } },
  active: { rule: FLAG, columns: { active: "true" } },
  images: {
    rule: {
      en: "an object of http or https URLs: thumb, square, background",
      es: "un objeto de direcciones http o https: thumb, square, background",
      pt: "um objeto de endereços http ou https: thumb, square, background",
    },
    cellRule: { en: "an http or https URL", es: "una dirección http o https", pt: "um endereço http ou https" },
    columns: {
      "images.thumb": "https://cdn.acme.example/fruits.webp",
      "images.square": "",
      "images.background": "",
    },
  },
  tags: {
    rule: {
      en: "at most 50 texts of 1 to 64 characters, none twice",
      es: "como máximo 50 textos de 1 a 64 caracteres, ninguno repetido",
      pt: "no máximo 50 textos de 1 a 64 caracteres, nenhum repetido",
    },
    columns: { tags: "fruit|new" },
  },
  rtp: {
    rule: {
      en: "a number above 0, at most 200",
      es: "un número mayor que 0, como máximo 200",
      pt: "um número maior que 0, no máximo 200",
    },
    columns: { rtp: "96.2" },
  },
  volatility: {
    rule: { en: "1 to 32 characters", es: "de 1 a 32 caracteres", pt: "de 1 a 32 caracteres" },
    columns: { volatility: "medium" },
  },
  free_rounds: { rule: FLAG, columns: { free_rounds: "true" } },
  jackpot: { rule: FLAG, columns: { jackpot: "false" } },
  platforms: {
    rule: {
      en: "at most 20 texts of 1 to 32 characters, none twice",
      es: "como máximo 20 textos de 1 a 32 caracteres, ninguno repetido",
      pt: "no máximo 20 textos de 1 a 32 caracteres, nenhum repetido",
    },
    columns: { platforms: "desktop|mobile" },
  },
  languages: {
    rule: {
      en: `at most ${LANGUAGES_MAX} language tags (pt, pt-BR), none twice`,
      es: `como máximo ${LANGUAGES_MAX} códigos de idioma (pt, pt-BR), ninguno repetido`,
      pt: `no máximo ${LANGUAGES_MAX} códigos de idioma (pt, pt-BR), nenhum repetido`,
    },
    columns: { languages: "pt|es|en" },
  },
  blocked_countries: {
    rule: {
      en: "ISO 3166-1 alpha-2 codes in upper case, none twice",
      es: "códigos ISO 3166-1 alfa-2 en mayúsculas, ninguno repetido",
      pt: "códigos ISO 3166-1 alfa-2 em maiúsculas, nenhum repetido",
    },
    columns: { blocked_countries: "US|FR" },
  },
  released_at: {
    rule: {
      en: "a time by RFC 3339, or a day (2025-01-12)",
      es: "una hora según RFC 3339, o un día (2025-01-12)",
      pt: "um horário conforme a RFC 3339, ou um dia (2025-01-12)",
    },
    columns: { released_at: "2025-01-12" },
  },
  names: {
    rule: {
      en: `an object of names by language tag (pt, pt-BR), at most ${LANGUAGES_MAX}, each 1 to ${GAME_NAME_MAX} characters, no language twice`,
      es: `un objeto de nombres por código de idioma (pt, pt-BR), como máximo ${LANGUAGES_MAX}, de 1 a ${GAME_NAME_MAX} caracteres, ningún idioma repetido`,
      pt: `um objeto de nomes por código de idioma (pt, pt-BR), no máximo ${LANGUAGES_MAX}, de 1 a ${GAME_NAME_MAX} caracteres, nenhum idioma repetido`,
    },
    cellRule: {
      en: `the name in this language, 1 to ${GAME_NAME_MAX} characters`,
      es: `el nombre en este idioma, de 1 a ${GAME_NAME_MAX} caracteres`,
      pt: `o nome neste idioma, de 1 a ${GAME_NAME_MAX} caracteres`,
    },
    columns: { "names.pt": "Frutas", "names.es": "Frutas" },
  },
} as const satisfies Readonly<Record<string, GameField>>;
