import type { Words } from "../en/en.ts";

export const faults: Pick<Words, "faults"> = {
  faults: {
    wrong: (field) => `${field}: este valor no es correcto.`,
    noRecord: (field) => `${field}: no hay ningún registro con este valor.`,
    rules: {
      required: () => "Escribe un valor.",
      days: (max) => `Se pueden pedir ${max} días como máximo.`,
      notBefore: (first) => `No puede ser anterior a «${first}».`,
      zone: () => "Escribe el nombre de una zona horaria, como America/Bogota o UTC.",
      date: () => "Elige un día.",
      https: () => "La dirección debe empezar con https://.",
      url: () => "Escribe una dirección completa, como https://api.example.com/callback.",
      host: () => "La dirección debe ser de la internet pública.",
      source: () => "Escribe una dirección como https://host:puerto, sin ruta.",
      characters: (max) => `Escribe de 1 a ${max} caracteres.`,
      range: (min, max) => `Elige de ${min} a ${max}.`,
      letters: (min, max, letters) => `Escribe de ${min} a ${max} de estos caracteres: ${letters}.`,
      future: () => "Elige un momento futuro.",
      used: () => "Una clave tiene o tuvo este nombre. Elige otro.",
      unknown: () => "Ese registro no existe.",
      place: () => "Escribe un código ISO 3166 en mayúsculas, como BR o AR-B.",
      merchant: () => "Elige un operador: hay demasiados para mirarlos todos.",
      ips: (max) => `Escribe como máximo ${max} direcciones o rangos CIDR.`,
      origins: (max) => `Escribe como máximo ${max} orígenes sin ruta, como https://shop.example.`,
      atMost: (max) => `Se permiten ${max} como máximo.`,
      rows: (max) => `La respuesta tendría más de ${max} filas.`,
    },
  },
};
