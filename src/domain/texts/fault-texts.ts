import type { Texts } from "../values/language.ts";

/**
 * The text for people of each fault of a field, in each language. It is a text, or a function of the field's name and
 * bounds.
 */
export const FAULT_TEXTS = {
  // Texts that fit any field or parameter.
  unknownField: { pt: "Campo desconhecido.", es: "Campo desconocido.", en: "Unknown field." },
  unknownParameter: { pt: "Parâmetro desconhecido.", es: "Parámetro desconocido.", en: "Unknown parameter." },
  encoding: {
    pt: "Codificação inválida.",
    es: "Codificación inválida.",
    en: "Invalid encoding.",
  },
  repeated: (field: string) => ({
    pt: `${field} foi enviado mais de uma vez.`,
    es: `${field} se envió más de una vez.`,
    en: `${field} was sent more than once.`,
  }),
  required: (field: string) => ({
    pt: `${field} é obrigatório.`,
    es: `${field} es obligatorio.`,
    en: `${field} is required.`,
  }),
  object: {
    pt: "O corpo deve ser um objeto JSON.",
    es: "El cuerpo debe ser un objeto JSON.",
    en: "The body must be a JSON object.",
  },
  more: (count: number) => ({
    pt: `Há mais ${count} campos inválidos, que não foram listados.`,
    es: `Hay ${count} campos inválidos más, que no se listaron.`,
    en: `There are ${count} more invalid fields, which are not listed.`,
  }),

  // Texts about the values of fields.
  text: (field: string) => ({
    pt: `${field} deve ser um texto.`,
    es: `${field} debe ser un texto.`,
    en: `${field} must be a text.`,
  }),
  boolean: (field: string) => ({
    pt: `${field} deve ser true ou false.`,
    es: `${field} debe ser true o false.`,
    en: `${field} must be true or false.`,
  }),
  characters: (field: string, max: number) => ({
    pt: `${field} deve ter de 1 a ${max} caracteres, sem caracteres de controle.`,
    es: `${field} debe tener de 1 a ${max} caracteres, sin caracteres de control.`,
    en: `${field} must have 1 to ${max} characters, no control characters.`,
  }),
  bytes: (field: string, max: number) => ({
    pt: `${field} deve ter de 1 a ${max} bytes de UTF-8, sem caracteres de controle.`,
    es: `${field} debe tener de 1 a ${max} bytes de UTF-8, sin caracteres de control.`,
    en: `${field} must have 1 to ${max} bytes of UTF-8, no control characters.`,
  }),
  wholeNumber: (field: string, min: number, max: number) => ({
    pt: `${field} deve ser um número inteiro de ${min} a ${max}.`,
    es: `${field} debe ser un número entero de ${min} a ${max}.`,
    en: `${field} must be a whole number from ${min} to ${max}.`,
  }),
  oneOf: (field: string, words: readonly string[]) => ({
    pt: `${field} deve ser ${listed(words, "ou")}.`,
    es: `${field} debe ser ${listed(words, "o")}.`,
    en: `${field} must be ${listed(words, "or")}.`,
  }),
  providerCode: (field: string) => ({
    pt: `${field} deve ser o código de um provedor: 2 a 32 caracteres A-Z, 0-9 ou _.`,
    es: `${field} debe ser el código de un proveedor: de 2 a 32 caracteres A-Z, 0-9 o _.`,
    en: `${field} must be the code of a provider: 2 to 32 characters A-Z, 0-9 or _.`,
  }),
  gameCode: (field: string) => ({
    pt: `${field} deve ser o código de um jogo: 1 a 128 bytes de UTF-8, sem caracteres de controle.`,
    es: `${field} debe ser el código de un juego: de 1 a 128 bytes de UTF-8, sin caracteres de control.`,
    en: `${field} must be the code of a game: 1 to 128 bytes of UTF-8, no control characters.`,
  }),
  language: (field: string) => ({
    pt: `${field} deve ser pt, es ou en, com ou sem região (por exemplo en-US).`,
    es: `${field} debe ser pt, es o en, con o sin región (por ejemplo en-US).`,
    en: `${field} must be pt, es or en, with or without a region (for example en-US).`,
  }),
  ipAddress: (field: string) => ({
    pt: `${field} deve ser um endereço IPv4 ou IPv6.`,
    es: `${field} debe ser una dirección IPv4 o IPv6.`,
    en: `${field} must be an IPv4 or IPv6 address.`,
  }),
  webUrl: (field: string) => ({
    pt: `${field} deve ser uma URL http ou https.`,
    es: `${field} debe ser una URL http o https.`,
    en: `${field} must be an http or https URL.`,
  }),

  // Texts about times and intervals.
  time: (field: string) => ({
    pt: `${field} deve ser uma data e hora RFC 3339 com Z ou deslocamento, como 2026-01-31T12:00:00Z (um + na URL é %2B).`,
    es: `${field} debe ser una fecha y hora RFC 3339 con Z o desplazamiento, como 2026-01-31T12:00:00Z (un + en la URL es %2B).`,
    en: `${field} must be an RFC 3339 time with Z or an offset, like 2026-01-31T12:00:00Z (a + in the URL is %2B).`,
  }),
  date: (field: string) => ({
    pt: `${field} deve ser uma data no formato AAAA-MM-DD.`,
    es: `${field} debe ser una fecha en el formato AAAA-MM-DD.`,
    en: `${field} must be a date of the form YYYY-MM-DD.`,
  }),
  timeZone: (field: string) => ({
    pt: `${field} deve ser um fuso horário da IANA, como America/Sao_Paulo.`,
    es: `${field} debe ser una zona horaria de la IANA, como America/Mexico_City.`,
    en: `${field} must be an IANA time zone, like America/New_York.`,
  }),
  notBefore: (field: string, other: string) => ({
    pt: `${field} não pode ser anterior a ${other}.`,
    es: `${field} no puede ser anterior a ${other}.`,
    en: `${field} can't be before ${other}.`,
  }),
  interval: (days: number) => ({
    pt: `O período pode ter no máximo ${days} dias.`,
    es: `El período puede tener como máximo ${days} días.`,
    en: `The interval can have at most ${days} days.`,
  }),
  wholeDays: (days: number) => ({
    pt: `O período pode ter no máximo ${days} dias, contando o primeiro e o último.`,
    es: `El período puede tener como máximo ${days} días, contando el primero y el último.`,
    en: `The interval can have at most ${days} days, the first and the last one included.`,
  }),

  // Texts about listings.
  notWith: (field: string, other: string) => ({
    pt: `${field} não se aplica com ${other}.`,
    es: `${field} no se aplica con ${other}.`,
    en: `${field} can't be used with ${other}.`,
  }),
  noPages: (field: string, format: string) => ({
    pt: `${field} não se aplica com format=${format}: a seleção vem inteira.`,
    es: `${field} no se aplica con format=${format}: la selección llega entera.`,
    en: `${field} can't be used with format=${format}: the selection comes as a whole.`,
  }),
  onlyAscending: {
    pt: "Com updated_since, order só pode ser asc.",
    es: "Con updated_since, order solo puede ser asc.",
    en: "With updated_since, order can only be asc.",
  },
  cursor: {
    pt: "cursor deve ser um next_cursor desta listagem.",
    es: "cursor debe ser un next_cursor de este listado.",
    en: "cursor must be a next_cursor of this listing.",
  },
  unlikeCursor: (field: string) => ({
    pt: `Junto com cursor, ${field} só pode repetir o valor da primeira página: repita-o ou omita ${field}.`,
    es: `Junto con cursor, ${field} solo puede repetir el valor de la primera página: repítalo u omita ${field}.`,
    en: `Beside cursor, ${field} can only repeat the value of the first page: repeat it or leave ${field} out.`,
  }),
} as const satisfies Record<string, Texts | ((...values: never[]) => Texts)>;

const listed = (words: readonly string[], or: string): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${or} ${words.at(-1)}`;
