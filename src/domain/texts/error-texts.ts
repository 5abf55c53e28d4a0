import type { ErrorCode } from "../errors.ts";
import type { Texts } from "../values/language.ts";

/**
 * The texts for people of each refusal of the REST API and of the console's own requests, in each language. Clients
 * decide by the code. The gRPC APIs have no such texts.
 */
export const ERROR_TEXTS = {
  PAYLOAD_TOO_LARGE: {
    pt: "O corpo passa de 64 KiB.",
    es: "El cuerpo supera los 64 KiB.",
    en: "The body is over 64 KiB.",
  },
  AUTH_HEADERS_MISSING: {
    pt: "Faltam cabeçalhos de autenticação, ou um deles está vazio ou repetido.",
    es: "Faltan encabezados de autenticación, o uno de ellos está vacío o repetido.",
    en: "Authentication headers are missing, or one of them is empty or repeated.",
  },
  INVALID_TIMESTAMP: {
    pt: "X-Timestamp deve ter 13 dígitos (milissegundos desde 1970).",
    es: "X-Timestamp debe tener 13 dígitos (milisegundos desde 1970).",
    en: "X-Timestamp must have 13 digits (milliseconds since 1970).",
  },
  TIMESTAMP_OUT_OF_RANGE: {
    pt: "X-Timestamp está fora da janela de 5 minutos.",
    es: "X-Timestamp está fuera de la ventana de 5 minutos.",
    en: "X-Timestamp is outside of the window of 5 minutes.",
  },
  INVALID_NONCE: {
    pt: "X-Nonce deve ter de 16 a 64 caracteres A-Z, a-z, 0-9, _ ou -.",
    es: "X-Nonce debe tener de 16 a 64 caracteres A-Z, a-z, 0-9, _ o -.",
    en: "X-Nonce must have 16 to 64 characters A-Z, a-z, 0-9, _ or -.",
  },
  INVALID_SIGNATURE: {
    pt: "Assinatura inválida.",
    es: "Firma inválida.",
    en: "Invalid signature.",
  },
  INVALID_API_KEY: {
    pt: "Chave de API ausente ou inválida.",
    es: "Clave de API ausente o inválida.",
    en: "The API key is missing or invalid.",
  },
  MERCHANT_DISABLED: {
    pt: "Operador desativado.",
    es: "Operador desactivado.",
    en: "The merchant is disabled.",
  },
  IP_NOT_ALLOWED: {
    pt: "IP não autorizado.",
    es: "IP no autorizada.",
    en: "This IP address is not allowed.",
  },
  RATE_LIMITED: {
    pt: "Limite de requisições excedido.",
    es: "Se superó el límite de solicitudes.",
    en: "The rate limit is exceeded.",
  },
  NONCE_REUSED: {
    pt: "X-Nonce já utilizado.",
    es: "X-Nonce ya utilizado.",
    en: "X-Nonce was used before.",
  },
  NOT_FOUND: {
    pt: "Rota não encontrada.",
    es: "Ruta no encontrada.",
    en: "There is no such path.",
  },
  METHOD_NOT_ALLOWED: {
    pt: "Método não permitido nesta rota.",
    es: "Método no permitido en esta ruta.",
    en: "This path does not allow the method.",
  },
  UNSUPPORTED_MEDIA_TYPE: {
    pt: "O corpo deve ser application/json, sem compressão.",
    es: "El cuerpo debe ser application/json, sin compresión.",
    en: "The body must be application/json, not compressed.",
  },
  BAD_REQUEST: {
    pt: "Requisição malformada.",
    es: "Solicitud mal formada.",
    en: "The request is malformed.",
  },
  VALIDATION_ERROR: {
    pt: "Há campos inválidos na requisição.",
    es: "Hay campos inválidos en la solicitud.",
    en: "The request has invalid fields.",
  },
  UNSUPPORTED_CURRENCY: {
    pt: "Moeda não suportada.",
    es: "Moneda no admitida.",
    en: "The currency is not supported.",
  },
  CURRENCY_NOT_ENABLED: {
    pt: "A moeda não é a do operador.",
    es: "La moneda no es la del operador.",
    en: "The currency is not the merchant's.",
  },
  INVALID_COUNTRY: {
    pt: "O país não é um código ISO 3166-1 alfa-2 válido.",
    es: "El país no es un código ISO 3166-1 alfa-2 válido.",
    en: "The country is not a valid ISO 3166-1 alpha-2 code.",
  },
  GAME_NOT_FOUND: {
    pt: "Jogo inexistente ou inativo.",
    es: "El juego no existe o está inactivo.",
    en: "The game does not exist or is inactive.",
  },
  AMBIGUOUS_GAME: {
    pt: "O código existe em vários provedores; informe provider.",
    es: "El código existe en varios proveedores; indique provider.",
    en: "Several providers have this code; send provider.",
  },
  PRODUCT_NOT_ENABLED: {
    pt: "Produto não habilitado para o operador.",
    es: "Producto no habilitado para el operador.",
    en: "The product is not enabled for the merchant.",
  },
  PROVIDER_NOT_SUPPORTED: {
    pt: "O provedor não tem integração de abertura de jogos.",
    es: "El proveedor no tiene integración para abrir juegos.",
    en: "The provider has no integration that opens games.",
  },
  LAUNCH_FAILED: {
    pt: "O provedor não conseguiu abrir o jogo.",
    es: "El proveedor no pudo abrir el juego.",
    en: "The provider could not open the game.",
  },
  WALLET_NOT_CONFIGURED: {
    pt: "O operador não tem walletUrl configurada.",
    es: "El operador no tiene walletUrl configurada.",
    en: "The merchant has no walletUrl.",
  },
  LAUNCH_GAME_FAILED: {
    pt: "Falha interna ao abrir o jogo; tente novamente.",
    es: "Fallo interno al abrir el juego; inténtelo de nuevo.",
    en: "An internal fault occurred at the launch; try again.",
  },
  TRANSACTION_NOT_FOUND: {
    pt: "Transação não encontrada.",
    es: "Transacción no encontrada.",
    en: "The transaction was not found.",
  },
  ROUND_NOT_FOUND: {
    pt: "Rodada não encontrada.",
    es: "Ronda no encontrada.",
    en: "The round was not found.",
  },
  NOT_RESENDABLE: {
    pt: "A transação não pode ser reenviada.",
    es: "La transacción no se puede reenviar.",
    en: "The transaction cannot be sent again.",
  },
  FOREIGN_PAGE: {
    pt: "Este pedido só é aceito de uma página do console, carregada deste mesmo endereço.",
    es: "Este pedido solo se acepta de una página de la consola, cargada de esta misma dirección.",
    en: "This request is only accepted from a page of the console that was loaded from this address.",
  },
  SERVICE_UNAVAILABLE: {
    pt: "Serviço indisponível; repita a mesma requisição.",
    es: "Servicio no disponible; repita la misma solicitud.",
    en: "The service is unavailable; repeat the same request.",
  },
  INTERNAL_ERROR: {
    pt: "Erro interno.",
    es: "Error interno.",
    en: "Internal error.",
  },
} as const satisfies Partial<Record<ErrorCode, Texts>>;

/** An error code that has a text for people. */
export type ExplainedCode = keyof typeof ERROR_TEXTS;

/**
 * The texts of an error code. A code without texts is in no reply that the API's description lists. It gets the texts
 * of INTERNAL_ERROR.
 */
export const errorTexts = (code: ErrorCode): Texts =>
  Object.hasOwn(ERROR_TEXTS, code) ? ERROR_TEXTS[code as ExplainedCode] : ERROR_TEXTS.INTERNAL_ERROR;
