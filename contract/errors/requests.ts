/** The codes that any request may get. */
import type { ErrorRow } from "./row.ts";

export const REQUESTS = {
  NOT_FOUND: {
    http: 404,
    grpc: "NOT_FOUND",
    retry: "never",
    meaning: "no such route; `details.hint` if the path has `/v1` twice",
    text: { pt: "Rota não encontrada.", es: "Ruta no encontrada.", en: "There is no such path." },
    merchants: { kit: "not_found" },
  },
  METHOD_NOT_ALLOWED: {
    http: 405,
    grpc: "INVALID_ARGUMENT",
    retry: "never",
    meaning: "`Allow` names the right method",
    text: {
      pt: "Método não permitido nesta rota.",
      es: "Método no permitido en esta ruta.",
      en: "This path does not allow the method.",
    },
    merchants: { kit: "validation" },
  },
  UNSUPPORTED_MEDIA_TYPE: {
    http: 415,
    grpc: "INVALID_ARGUMENT",
    retry: "never",
    meaning: "the body is not `application/json`, or is encoded",
    text: {
      pt: "O corpo deve ser application/json, sem compressão.",
      es: "El cuerpo debe ser application/json, sin compresión.",
      en: "The body must be application/json, not compressed.",
    },
    merchants: {
      kit: "validation",
      details: { field: "Content-Type" },
    },
  },
  BAD_REQUEST: {
    http: 400,
    grpc: "INVALID_ARGUMENT",
    retry: "never",
    meaning: "the body is not JSON, a GET or DELETE has a body, the target is ambiguous, or the request is broken",
    text: { pt: "Requisição malformada.", es: "Solicitud mal formada.", en: "The request is malformed." },
    merchants: {
      kit: "validation",
      details: { field: "body" },
    },
  },
  VALIDATION_ERROR: {
    http: 422,
    grpc: "INVALID_ARGUMENT",
    retry: "never",
    meaning: "fields or parameters are wrong; `details` has every fault",
    text: {
      pt: "Há campos inválidos na requisição.",
      es: "Hay campos inválidos en la solicitud.",
      en: "The request has invalid fields.",
    },
    merchants: { kit: "validation" },
    providers: {},
    sportsbook: {
      bets: "",
      brands: "",
    },
    administration: {
      advice: "",
      remark: "with a google.rpc.BadRequest that lists every fault of the request at once",
    },
    console: { pt: "Um campo não está certo.", es: "Un campo no es correcto.", en: "A field has a wrong value." },
  },
} as const satisfies Record<string, ErrorRow>;
