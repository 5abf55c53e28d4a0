/** The codes of the authentication, in the order of its checks (docs/specification/signing.md#sign-order). */
import type { ErrorRow } from "./row.ts";

export const AUTHENTICATION = {
  PAYLOAD_TOO_LARGE: {
    http: 413,
    grpc: "INVALID_ARGUMENT",
    retry: "never",
    meaning: "the body is over 64 KiB",
    text: { pt: "O corpo passa de 64 KiB.", es: "El cuerpo supera los 64 KiB.", en: "The body is over 64 KiB." },
    merchants: { kit: "validation" },
  },
  AUTH_HEADERS_MISSING: {
    http: 401,
    grpc: "UNAUTHENTICATED",
    retry: "never",
    meaning: "one of the four headers is absent, empty or repeated; `details.missing`",
    text: {
      pt: "Faltam cabeçalhos de autenticação, ou um deles está vazio ou repetido.",
      es: "Faltan encabezados de autenticación, o uno de ellos está vacío o repetido.",
      en: "Authentication headers are missing, or one of them is empty or repeated.",
    },
    merchants: {
      kit: "authentication",
      details: { missing: ["X-Nonce"] },
    },
  },
  INVALID_TIMESTAMP: {
    http: 401,
    grpc: "UNAUTHENTICATED",
    retry: "never",
    meaning: "not 13 digits. Ten digits are seconds instead of milliseconds",
    text: {
      pt: "X-Timestamp deve ter 13 dígitos (milissegundos desde 1970).",
      es: "X-Timestamp debe tener 13 dígitos (milisegundos desde 1970).",
      en: "X-Timestamp must have 13 digits (milliseconds since 1970).",
    },
    merchants: {
      kit: "authentication",
      details: { hint: "milliseconds expected, these look like seconds" },
    },
  },
  TIMESTAMP_OUT_OF_RANGE: {
    http: 401,
    grpc: "UNAUTHENTICATED",
    retry: "never",
    meaning: "more than 5 minutes from the server's time; `details` has `server_time`, `received`, `tolerance_ms`",
    text: {
      pt: "X-Timestamp está fora da janela de 5 minutos.",
      es: "X-Timestamp está fuera de la ventana de 5 minutos.",
      en: "X-Timestamp is outside of the window of 5 minutes.",
    },
    merchants: {
      kit: "authentication",
      details: { server_time: 1_767_225_600_000, received: 1_767_225_000_000, tolerance_ms: 300_000 },
    },
  },
  INVALID_NONCE: {
    http: 401,
    grpc: "UNAUTHENTICATED",
    retry: "never",
    meaning: "not 16 to 64 of `A-Z a-z 0-9 _ -`",
    text: {
      pt: "X-Nonce deve ter de 16 a 64 caracteres A-Z, a-z, 0-9, _ ou -.",
      es: "X-Nonce debe tener de 16 a 64 caracteres A-Z, a-z, 0-9, _ o -.",
      en: "X-Nonce must have 16 to 64 characters A-Z, a-z, 0-9, _ or -.",
    },
    merchants: { kit: "authentication", details: { field: "X-Nonce" } },
  },
  INVALID_SIGNATURE: {
    http: 401,
    grpc: "UNAUTHENTICATED",
    retry: "never",
    meaning: "unknown merchant or wrong signature: [why](signing.md#sign-reason)",
    text: { pt: "Assinatura inválida.", es: "Firma inválida.", en: "Invalid signature." },
    merchants: {
      kit: "authentication",
      details: { reason: "body_reserialized" },
    },
  },
  INVALID_API_KEY: {
    http: 401,
    grpc: "UNAUTHENTICATED",
    retry: "never",
    meaning: "the key is missing, wrong, expired, revoked or of another kind",
    text: {
      pt: "Chave de API ausente ou inválida.",
      es: "Clave de API ausente o inválida.",
      en: "The API key is missing or invalid.",
    },
    providers: {},
    sportsbook: {
      bets: "",
      sessions: "",
      brands: "",
    },
    administration: { advice: "ADMIN_KEY is not an admin key of this service, or the key has expired or was revoked." },
    console: { pt: "Sua sessão terminou.", es: "Tu sesión terminó.", en: "Your session has ended." },
  },
  TOKEN_INVALID: {
    http: 401,
    grpc: "UNAUTHENTICATED",
    retry: "never",
    meaning: "the service did not make this launch token, or its merchant has another brand now",
    sportsbook: {
      sessions: "the service did not create this token",
    },
  },
  MERCHANT_DISABLED: {
    http: 403,
    grpc: "PERMISSION_DENIED",
    retry: "never",
    meaning: "the merchant is disabled. Providers and the sportsbook get this code only for a new bet or slip",
    text: { pt: "Operador desativado.", es: "Operador desactivado.", en: "The merchant is disabled." },
    merchants: { kit: "permission" },
    providers: { remark: "for a bet" },
    sportsbook: { bets: "for a slip" },
    console: {
      pt: "O operador está desativado.",
      es: "El operador está desactivado.",
      en: "The merchant is disabled.",
    },
  },
  IP_NOT_ALLOWED: {
    http: 403,
    grpc: "PERMISSION_DENIED",
    retry: "never",
    meaning: "the caller's address is not in the merchant's list; `details.ip`",
    text: { pt: "IP não autorizado.", es: "IP no autorizada.", en: "This IP address is not allowed." },
    merchants: {
      kit: "permission",
      details: { ip: "203.0.113.9" },
    },
  },
  RATE_LIMITED: {
    http: 429,
    grpc: "RESOURCE_EXHAUSTED",
    retry: "same_request",
    meaning:
      "too many calls; `Retry-After`, `details.limit`. Over gRPC: more than 60 calls in a minute from one address without a right key",
    text: {
      pt: "Limite de requisições excedido.",
      es: "Se superó el límite de solicitudes.",
      en: "The rate limit is exceeded.",
    },
    merchants: {
      kit: "rate_limited",
      details: { limit: "catalog", retry_after_s: 1 },
    },
    providers: {
      remark: "too many calls without a right key",
    },
    sportsbook: {
      bets: "too many calls without a right key",
      sessions: "too many calls without a right key",
      brands: "too many calls without a right key",
    },
    administration: {
      advice:
        "Too many calls without a valid key came from your address, or too many pings were sent to one merchant. Check ADMIN_KEY. A ping can be repeated after some seconds.",
      remark: "too many calls without a right key, or too many pings",
    },
    console: {
      pt: "Chamadas demais. Espere alguns segundos.",
      es: "Demasiadas llamadas. Espera unos segundos.",
      en: "Too many calls. Wait some seconds.",
    },
  },
  NONCE_REUSED: {
    http: 401,
    grpc: "UNAUTHENTICATED",
    retry: "never",
    meaning: "the merchant has used this nonce. Every call needs a new one, even a repeat",
    text: { pt: "X-Nonce já utilizado.", es: "X-Nonce ya utilizado.", en: "X-Nonce was used before." },
    merchants: {
      kit: "authentication",
      details: { field: "X-Nonce" },
    },
  },
} as const satisfies Record<string, ErrorRow>;
