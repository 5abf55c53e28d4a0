/** The codes of administrative calls. */
import type { ErrorRow } from "./row.ts";

export const ADMINISTRATION = {
  ROLE_NOT_ALLOWED: {
    http: 403,
    grpc: "PERMISSION_DENIED",
    retry: "never",
    meaning: "the key's role is too low",
    administration: {
      advice:
        "Your key's role may not do this. Ask an owner for a key with a higher role (viewer, support, manager, owner). The owner makes one with key create --role.",
    },
    console: {
      pt: "Isto precisa de uma chave com um papel mais alto. Peça a um proprietário.",
      es: "Esto necesita una clave con un rol más alto. Pídela a un propietario.",
      en: "This needs a key with a higher role. Ask an owner.",
    },
  },
  FOREIGN_PAGE: {
    http: 403,
    grpc: "PERMISSION_DENIED",
    retry: "never",
    meaning:
      "the request has a session of the [console](console.md#console-own-page), or asks for one, and no page of the console sent it",
    text: {
      pt: "Este pedido só é aceito de uma página do console, carregada deste mesmo endereço.",
      es: "Este pedido solo se acepta de una página de la consola, cargada de esta misma dirección.",
      en: "This request is only accepted from a page of the console that was loaded from this address.",
    },
    administration: {
      advice: "A session of the console is valid only for its own page. Programs use an admin key.",
      remark: "only with a session of the console",
    },
    console: {
      pt: "O serviço recusou a chamada porque ela não veio desta página. Carregue a página de novo.",
      es: "El servicio rechazó la llamada porque no vino de esta página. Carga la página de nuevo.",
      en: "The service refused the call because it did not come from this page. Load the page again.",
    },
  },
  RECORD_NOT_FOUND: {
    http: 404,
    grpc: "NOT_FOUND",
    retry: "never",
    meaning: "no such record",
    sportsbook: { brands: "" },
    administration: { advice: "No record has that name. The list command of the noun shows all records." },
    console: { pt: "Esse registro não existe.", es: "Ese registro no existe.", en: "There is no such record." },
  },
  ALREADY_EXISTS: {
    http: 409,
    grpc: "ALREADY_EXISTS",
    retry: "never",
    meaning: "a record with this code exists",
    administration: { advice: "A record has this name already. The command show prints it, and set changes it." },
    console: {
      pt: "Já existe um registro com este nome.",
      es: "Ya existe un registro con este nombre.",
      en: "A record has this name already.",
    },
  },
  ROTATION_RUNNING: {
    http: 409,
    grpc: "FAILED_PRECONDITION",
    retry: "never",
    meaning: "the merchant has two valid secrets now; finish or cancel this rotation first",
    administration: {
      advice:
        "Two secrets are valid. First end this rotation: merchant finish-rotation keeps the new secret, and merchant cancel-rotation keeps the old one.",
    },
    console: {
      pt: "Duas chaves secretas valem no momento. Primeiro conclua ou cancele essa troca.",
      es: "En este momento valen dos claves secretas. Primero termina o cancela ese cambio.",
      en: "Two secrets are valid. Finish or cancel that rotation first.",
    },
  },
  ROTATION_NOT_RUNNING: {
    http: 409,
    grpc: "FAILED_PRECONDITION",
    retry: "never",
    meaning: "the merchant has only one valid secret, so there is no rotation to finish or cancel",
    administration: {
      advice:
        "Only one secret is valid. Either no rotation was begun with --overlap, or its overlap has ended and only the new secret is valid. merchant show prints rotation_ends_at.",
    },
    console: {
      pt: "Só uma chave secreta vale: a troca já terminou.",
      es: "Solo vale una clave secreta: el cambio ya terminó.",
      en: "Only one secret is valid: the rotation has ended.",
    },
  },
  NOT_RESOLVABLE: {
    http: 409,
    grpc: "FAILED_PRECONDITION",
    retry: "never",
    meaning: "support cannot close this transaction now; `field` says why",
    administration: {
      advice:
        "Only a transaction that has been pending for RESEND_HORIZON_HOURS, and whose last call ended REFUND_QUIET_PERIOD_MS ago, can be resolved by hand. transaction show prints the state of this one.",
    },
    console: {
      pt: "Não pode ser encerrada agora: é nova demais, ou a carteira está sendo chamada.",
      es: "No se puede cerrar ahora: es demasiado nueva, o se está llamando a la billetera.",
      en: "It can't be closed now: it is too new, or the wallet is being called.",
    },
  },
} as const satisfies Record<string, ErrorRow>;
