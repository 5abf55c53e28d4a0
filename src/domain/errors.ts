/**
 * The one table of refusals. REST, gRPC and the API's description take statuses, messages and `retry` from here.
 *
 * A new code needs a row here, and one in docs/specification/errors.md that says who meets it. Tests then name what is
 * still missing:
 * - met by merchants: docs/merchant.md, `refusals` of its operations in src/adapters/rest/openapi, and a request that
 * provokes it in
 *   test/adapters/rest/requests/every-error.test.ts;
 * - met by providers: docs/provider.md; met by the sportsbook: docs/sportsbook.md;
 * - met by the administration: what the command line says about it, in src/cli/service/failure.ts.
 */

/** A gRPC status, by the name of its code. */
export type GrpcCode =
  | "INVALID_ARGUMENT"
  | "NOT_FOUND"
  | "ALREADY_EXISTS"
  | "PERMISSION_DENIED"
  | "UNAUTHENTICATED"
  | "RESOURCE_EXHAUSTED"
  | "FAILED_PRECONDITION"
  | "UNAVAILABLE"
  | "INTERNAL";

interface ErrorRow {
  /** HTTP status of the REST API. */
  readonly http: number;
  readonly grpc: GrpcCode;
  /** Whether the very same request may succeed when it is sent again. */
  readonly retry: "never" | "same_request";
  /** The text for people, in Portuguese. Clients decide by the code. */
  readonly message: string;
}

export const ERRORS = {
  // Authentication, in the order of its checks (docs/specification/signing.md#sign-order).
  PAYLOAD_TOO_LARGE: { http: 413, grpc: "INVALID_ARGUMENT", retry: "never", message: "O corpo passa de 64 KiB." },
  AUTH_HEADERS_MISSING: {
    http: 401,
    grpc: "UNAUTHENTICATED",
    retry: "never",
    message: "Faltam cabeçalhos de autenticação, ou um deles está vazio ou repetido.",
  },
  INVALID_TIMESTAMP: {
    http: 401,
    grpc: "UNAUTHENTICATED",
    retry: "never",
    message: "X-Timestamp deve ter 13 dígitos (milissegundos desde 1970).",
  },
  TIMESTAMP_OUT_OF_RANGE: {
    http: 401,
    grpc: "UNAUTHENTICATED",
    retry: "never",
    message: "X-Timestamp está fora da janela de 5 minutos.",
  },
  INVALID_NONCE: {
    http: 401,
    grpc: "UNAUTHENTICATED",
    retry: "never",
    message: "X-Nonce deve ter de 16 a 64 caracteres A-Z, a-z, 0-9, _ ou -.",
  },
  INVALID_SIGNATURE: { http: 401, grpc: "UNAUTHENTICATED", retry: "never", message: "Assinatura inválida." },
  INVALID_API_KEY: { http: 401, grpc: "UNAUTHENTICATED", retry: "never", message: "Chave de API ausente ou inválida." },
  TOKEN_INVALID: { http: 401, grpc: "UNAUTHENTICATED", retry: "never", message: "Token inválido." },
  MERCHANT_DISABLED: { http: 403, grpc: "PERMISSION_DENIED", retry: "never", message: "Operador desativado." },
  IP_NOT_ALLOWED: { http: 403, grpc: "PERMISSION_DENIED", retry: "never", message: "IP não autorizado." },
  RATE_LIMITED: {
    http: 429,
    grpc: "RESOURCE_EXHAUSTED",
    retry: "same_request",
    message: "Limite de requisições excedido.",
  },
  NONCE_REUSED: { http: 401, grpc: "UNAUTHENTICATED", retry: "never", message: "X-Nonce já utilizado." },

  // Requests.
  NOT_FOUND: { http: 404, grpc: "NOT_FOUND", retry: "never", message: "Rota não encontrada." },
  METHOD_NOT_ALLOWED: {
    http: 405,
    grpc: "INVALID_ARGUMENT",
    retry: "never",
    message: "Método não permitido nesta rota.",
  },
  UNSUPPORTED_MEDIA_TYPE: {
    http: 415,
    grpc: "INVALID_ARGUMENT",
    retry: "never",
    message: "O corpo deve ser application/json, sem compressão.",
  },
  BAD_REQUEST: { http: 400, grpc: "INVALID_ARGUMENT", retry: "never", message: "Requisição malformada." },
  VALIDATION_ERROR: {
    http: 422,
    grpc: "INVALID_ARGUMENT",
    retry: "never",
    message: "Há campos inválidos na requisição.",
  },

  // Launch, in the order of its checks (docs/specification/launch.md#launch-order).
  UNSUPPORTED_CURRENCY: { http: 400, grpc: "INVALID_ARGUMENT", retry: "never", message: "Moeda não suportada." },
  CURRENCY_NOT_ENABLED: {
    http: 403,
    grpc: "PERMISSION_DENIED",
    retry: "never",
    message: "A moeda não é a do operador.",
  },
  INVALID_COUNTRY: {
    http: 400,
    grpc: "INVALID_ARGUMENT",
    retry: "never",
    message: "O país não é um código ISO 3166-1 alfa-2 válido.",
  },
  GAME_NOT_FOUND: { http: 404, grpc: "NOT_FOUND", retry: "never", message: "Jogo inexistente ou inativo." },
  AMBIGUOUS_GAME: {
    http: 409,
    grpc: "FAILED_PRECONDITION",
    retry: "never",
    message: "O código existe em vários provedores; informe provider.",
  },
  PRODUCT_NOT_ENABLED: {
    http: 403,
    grpc: "PERMISSION_DENIED",
    retry: "never",
    message: "Produto não habilitado para o operador.",
  },
  PROVIDER_NOT_SUPPORTED: {
    http: 422,
    grpc: "FAILED_PRECONDITION",
    retry: "never",
    message: "O provedor não tem integração de abertura de jogos.",
  },
  LAUNCH_FAILED: {
    http: 502,
    grpc: "UNAVAILABLE",
    retry: "same_request",
    message: "O provedor não conseguiu abrir o jogo.",
  },
  WALLET_NOT_CONFIGURED: {
    http: 409,
    grpc: "FAILED_PRECONDITION",
    retry: "never",
    message: "O operador não tem walletUrl configurada.",
  },
  LAUNCH_GAME_FAILED: {
    http: 500,
    grpc: "INTERNAL",
    retry: "same_request",
    message: "Falha interna ao abrir o jogo; tente novamente.",
  },

  // Transactions and sessions.
  TRANSACTION_NOT_FOUND: { http: 404, grpc: "NOT_FOUND", retry: "never", message: "Transação não encontrada." },
  ROUND_NOT_FOUND: { http: 404, grpc: "NOT_FOUND", retry: "never", message: "Rodada não encontrada." },
  TRANSACTION_MISMATCH: {
    http: 409,
    grpc: "ALREADY_EXISTS",
    retry: "never",
    message: "O mesmo tx_id já foi usado com outro conteúdo.",
  },
  TRANSACTION_REVERSED: {
    http: 409,
    grpc: "FAILED_PRECONDITION",
    retry: "never",
    message: "A transação foi revertida.",
  },
  INVALID_AMOUNT: { http: 422, grpc: "INVALID_ARGUMENT", retry: "never", message: "Valor inválido para a moeda." },
  NOT_RESENDABLE: {
    http: 409,
    grpc: "FAILED_PRECONDITION",
    retry: "never",
    message: "A transação não pode ser reenviada.",
  },
  SESSION_NOT_FOUND: { http: 404, grpc: "NOT_FOUND", retry: "never", message: "Sessão não encontrada." },
  SESSION_EXPIRED: { http: 409, grpc: "FAILED_PRECONDITION", retry: "never", message: "Sessão expirada." },
  DEMO_SESSION: {
    http: 409,
    grpc: "FAILED_PRECONDITION",
    retry: "never",
    message: "Sessão de demonstração não tem carteira.",
  },
  TOKEN_USED: { http: 409, grpc: "FAILED_PRECONDITION", retry: "never", message: "Token já utilizado." },
  TOKEN_EXPIRED: { http: 409, grpc: "FAILED_PRECONDITION", retry: "never", message: "Token expirado." },

  // Administration.
  ROLE_NOT_ALLOWED: {
    http: 403,
    grpc: "PERMISSION_DENIED",
    retry: "never",
    message: "O papel da chave não permite esta operação.",
  },
  RECORD_NOT_FOUND: { http: 404, grpc: "NOT_FOUND", retry: "never", message: "Registro não encontrado." },
  ALREADY_EXISTS: {
    http: 409,
    grpc: "ALREADY_EXISTS",
    retry: "never",
    message: "Já existe um registro com este código.",
  },
  NOT_RESOLVABLE: {
    http: 409,
    grpc: "FAILED_PRECONDITION",
    retry: "never",
    message: "A transação não pode ser encerrada pelo suporte.",
  },

  // Load and faults.
  OVERLOADED: {
    http: 503,
    grpc: "RESOURCE_EXHAUSTED",
    retry: "same_request",
    message: "Serviço sobrecarregado; repita a mesma requisição.",
  },
  WALLET_UNAVAILABLE: {
    http: 503,
    grpc: "UNAVAILABLE",
    retry: "same_request",
    message: "A carteira do operador não respondeu.",
  },
  SERVICE_UNAVAILABLE: {
    http: 503,
    grpc: "UNAVAILABLE",
    retry: "same_request",
    message: "Serviço indisponível; repita a mesma requisição.",
  },
  INTERNAL_ERROR: { http: 500, grpc: "INTERNAL", retry: "same_request", message: "Erro interno." },
} as const satisfies Record<string, ErrorRow>;

/** The code that clients decide by. */
export type ErrorCode = keyof typeof ERRORS;

/** One fault of a request's field, as `details` of VALIDATION_ERROR lists them. */
export interface FieldFault {
  readonly field: string;
  readonly rule: string;
  readonly message: string;
}

/** The reason why the service refuses a request. It is returned as a value, never thrown. */
export interface Refusal {
  readonly code: ErrorCode;
  /** The field that is at fault or differs, if there is one. */
  readonly field?: string;
  /** Sent as `error.details` (REST); a long list of faults is sent only in part (values/field-fault.ts). */
  readonly details?: Readonly<Record<string, unknown>> | readonly FieldFault[];
}

/** A value, or the refusal in place of it. */
export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: Refusal };

/** Whether the details are the list of faults of a VALIDATION_ERROR. */
export const areFaults = (details: Refusal["details"]): details is readonly FieldFault[] => Array.isArray(details);

export const ok = <T>(value: T): Result<T> => ({ ok: true, value });
export const refuse = (code: ErrorCode, more: Omit<Refusal, "code"> = {}): { ok: false; refusal: Refusal } => ({
  ok: false,
  refusal: { code, ...more },
});
