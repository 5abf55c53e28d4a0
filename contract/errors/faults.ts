/** The codes for overload and for faults of this service. */
import type { ErrorRow } from "./row.ts";

export const FAULTS = {
  OVERLOADED: {
    http: 503,
    grpc: "RESOURCE_EXHAUSTED",
    retry: "same_request",
    meaning:
      "too many requests at a time; nothing was recorded or sent. For the administration: too many calls on one connection",
    providers: {
      remark: "nothing was recorded or sent",
    },
    sportsbook: { bets: "nothing was recorded or sent" },
    administration: {
      advice: "The service has too much work now. Give the command again.",
      remark: "too many calls on one connection",
    },
    console: {
      pt: "O serviço tem trabalho demais no momento. Espere alguns segundos.",
      es: "El servicio tiene demasiado trabajo en este momento. Espera unos segundos.",
      en: "The service has too much work at the moment. Wait some seconds.",
    },
  },
  WALLET_UNAVAILABLE: {
    http: 503,
    grpc: "UNAVAILABLE",
    retry: "same_request",
    meaning: "the wallet did not answer a balance query",
    providers: { remark: "a balance query without an answer" },
    sportsbook: { bets: "a balance query without an answer" },
  },
  SERVICE_UNAVAILABLE: {
    http: 503,
    grpc: "UNAVAILABLE",
    retry: "same_request",
    meaning: "the service cannot work now, or does not know the outcome; send the same request again",
    text: {
      pt: "Serviço indisponível; repita a mesma requisição.",
      es: "Servicio no disponible; repita la misma solicitud.",
      en: "The service is unavailable; repeat the same request.",
    },
    merchants: { kit: "unavailable" },
    providers: {},
    sportsbook: { bets: "", sessions: "", brands: "" },
    administration: {
      advice: "The service can't reach its database. Look at the service's log, and give the command again.",
    },
    console: {
      pt: "O serviço não alcança o seu banco de dados. Se você mudou algo, veja se está feito antes de repetir.",
      es: "El servicio no alcanza su base de datos. Si cambiaste algo, mira si está hecho antes de repetirlo.",
      en: "The service can't reach its database. If you changed something, look whether it is done before you repeat it.",
    },
  },
  INTERNAL_ERROR: {
    http: 500,
    grpc: "INTERNAL",
    retry: "same_request",
    meaning: "a fault of the service",
    text: { pt: "Erro interno.", es: "Error interno.", en: "Internal error." },
    merchants: { kit: "unavailable" },
    providers: {},
    sportsbook: { bets: "", sessions: "", brands: "" },
    administration: { advice: "The service has a fault. Its log says more." },
    console: {
      pt: "Uma falha do serviço. O registro dele diz mais.",
      es: "Una falla del servicio. Su registro dice más.",
      en: "The service has a fault. Its log says more.",
    },
  },
} as const satisfies Record<string, ErrorRow>;
