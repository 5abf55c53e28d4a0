/** The codes of a launch, in the order of its checks (docs/specification/launch.md#launch-order). */
import type { ErrorRow } from "./row.ts";

export const LAUNCH = {
  UNSUPPORTED_CURRENCY: {
    http: 400,
    grpc: "INVALID_ARGUMENT",
    retry: "never",
    meaning: "`currency` is not one of the seven currencies",
    text: { pt: "Moeda não suportada.", es: "Moneda no admitida.", en: "The currency is not supported." },
    merchants: {
      kit: "validation",
      details: { field: "currency" },
    },
  },
  CURRENCY_NOT_ENABLED: {
    http: 403,
    grpc: "PERMISSION_DENIED",
    retry: "never",
    meaning: "not the merchant's currency",
    text: {
      pt: "A moeda não é a do operador.",
      es: "La moneda no es la del operador.",
      en: "The currency is not the merchant's.",
    },
    merchants: {
      kit: "permission",
      details: { field: "currency" },
    },
    providers: {},
    sportsbook: { bets: "" },
  },
  INVALID_COUNTRY: {
    http: 400,
    grpc: "INVALID_ARGUMENT",
    retry: "never",
    meaning: "`country` is not a country",
    text: {
      pt: "O país não é um código ISO 3166-1 alfa-2 válido.",
      es: "El país no es un código ISO 3166-1 alfa-2 válido.",
      en: "The country is not a valid ISO 3166-1 alpha-2 code.",
    },
    merchants: {
      kit: "validation",
      details: { field: "country" },
    },
  },
  GAME_NOT_FOUND: {
    http: 404,
    grpc: "NOT_FOUND",
    retry: "never",
    meaning: "no such game. For a launch, bet or slip also: the game or its provider is inactive",
    text: {
      pt: "Jogo inexistente ou inativo.",
      es: "El juego no existe o está inactivo.",
      en: "The game does not exist or is inactive.",
    },
    merchants: {
      kit: "not_found",
      details: { field: "game" },
    },
    providers: {},
    sportsbook: { bets: "for a slip" },
    console: {
      pt: "Não existe esse jogo, ou ele está inativo.",
      es: "No existe ese juego, o está inactivo.",
      en: "There is no such game, or it is inactive.",
    },
  },
  AMBIGUOUS_GAME: {
    http: 409,
    grpc: "FAILED_PRECONDITION",
    retry: "never",
    meaning: "several providers have a game with this code: the call must name one of `details.providers`",
    text: {
      pt: "O código existe em vários provedores; informe provider.",
      es: "El código existe en varios proveedores; indique provider.",
      en: "Several providers have this code; send provider.",
    },
    merchants: {
      kit: "conflict",
      details: { providers: ["AURORA", "PALCO"] },
    },
  },
  PRODUCT_NOT_ENABLED: {
    http: 403,
    grpc: "PERMISSION_DENIED",
    retry: "never",
    meaning: "the game's product is not enabled for the merchant",
    text: {
      pt: "Produto não habilitado para o operador.",
      es: "Producto no habilitado para el operador.",
      en: "The product is not enabled for the merchant.",
    },
    merchants: { kit: "permission" },
    providers: {
      remark: "for a bet",
    },
    sportsbook: {
      bets: "for a slip",
    },
    console: {
      pt: "O operador não tem este produto.",
      es: "El operador no tiene este producto.",
      en: "The merchant does not have this product.",
    },
  },
  PROVIDER_NOT_SUPPORTED: {
    http: 422,
    grpc: "FAILED_PRECONDITION",
    retry: "never",
    meaning: "the provider has no enabled source",
    text: {
      pt: "O provedor não tem integração de abertura de jogos.",
      es: "El proveedor no tiene integración para abrir juegos.",
      en: "The provider has no integration that opens games.",
    },
    merchants: { kit: "conflict" },
    console: {
      pt: "O provedor está inativo, ou não tem uma fonte ativa.",
      es: "El proveedor está inactivo, o no tiene una fuente activa.",
      en: "The provider is inactive, or has no enabled source.",
    },
  },
  LAUNCH_FAILED: {
    http: 502,
    grpc: "UNAVAILABLE",
    retry: "same_request",
    meaning: "no source opened the game, the game has no demo, or this service has no sportsbook",
    text: {
      pt: "O provedor não conseguiu abrir o jogo.",
      es: "El proveedor no pudo abrir el juego.",
      en: "The provider could not open the game.",
    },
    merchants: {
      kit: "launch",
    },
    console: {
      pt: "Nenhuma fonte do provedor abriu o jogo. A página do provedor mostra por quê.",
      es: "Ninguna fuente del proveedor abrió el juego. La página del proveedor muestra por qué.",
      en: "No source of the provider opened the game. The provider's page shows why.",
    },
  },
  WALLET_NOT_CONFIGURED: {
    http: 409,
    grpc: "FAILED_PRECONDITION",
    retry: "never",
    meaning: "the merchant has no walletUrl, and the launch is not a demo",
    text: {
      pt: "O operador não tem walletUrl configurada.",
      es: "El operador no tiene walletUrl configurada.",
      en: "The merchant has no walletUrl.",
    },
    merchants: { kit: "conflict" },
    console: {
      pt: "O operador não tem endereço de carteira. Só é possível abrir demonstrações.",
      es: "El operador no tiene dirección de billetera. Solo se pueden abrir demos.",
      en: "The merchant has no wallet address. Only demos can be opened.",
    },
  },
  LAUNCH_GAME_FAILED: {
    http: 500,
    grpc: "INTERNAL",
    retry: "same_request",
    meaning: "a fault of the service during a launch",
    text: {
      pt: "Falha interna ao abrir o jogo; tente novamente.",
      es: "Fallo interno al abrir el juego; inténtelo de nuevo.",
      en: "An internal fault occurred at the launch; try again.",
    },
    merchants: { kit: "launch" },
  },
} as const satisfies Record<string, ErrorRow>;
