import type { Words } from "../en/en.ts";

type Part = Pick<Words, "shell" | "navigation" | "signIn" | "state" | "failures">;

export const shell: Part = {
  shell: {
    title: "Administración",
    skip: "Ir a la página",
    menu: "Páginas",
    navigation: "Navegación",
    language: "Idioma",
    scheme: "Apariencia",
    schemes: { system: "Como el sistema", light: "Clara", dark: "Oscura" },
    roles: { viewer: "Lectura", support: "Soporte", manager: "Gestión", owner: "Propietario" },
    signOut: "Salir",
    noPage: "No hay ninguna página en esta dirección",
  },
  navigation: {
    today: "Hoy",
    transactions: "Transacciones",
    stuck: "Dinero detenido",
    wallets: "Salud de las billeteras",
    reports: "Informes",
    merchants: "Operadores",
    keys: "Claves y roles",
    audit: "Auditoría",
  },
  signIn: {
    lead: "Ingresa con tu clave de administración. El rol de la clave decide qué ves y qué puedes hacer.",
    key: "Clave de administración",
    hint: "El navegador guarda una sesión corta, no la clave.",
    act: "Ingresar",
    wrong: "Esta no es una clave de administración de este servicio, o venció o fue revocada.",
    ended: "Tu sesión terminó: estuvo inactiva demasiado tiempo, o la clave venció o fue revocada. Ingresa de nuevo.",
  },
  state: {
    loading: "Cargando",
    failed: "No se pudo leer",
    notAllowed: "Tu clave no puede ver esto",
    again: "Intentar de nuevo",
    stale: (time) => `Estas cifras son de las ${time}.`,
    asOf: (time, age) => `Cifras de las ${time}, hace ${age}.`,
    more: "Mostrar más",
    refresh: "Leer de nuevo",
    cancel: "Cancelar",
    close: "Cerrar",
    copy: "Copiar",
    copied: "Copiado",
    acting: "Un momento",
  },
  failures: {
    UNREACHABLE: "El servicio no responde. ¿Funciona tu red?",
    NOT_READABLE: "Respondió algo que no es el servicio.",
    INVALID_API_KEY: "Tu sesión terminó.",
    ROLE_NOT_ALLOWED: "Esto necesita una clave con un rol más alto. Pídela a un propietario.",
    FOREIGN_PAGE: "El servicio rechazó la llamada porque no vino de esta página. Carga la página de nuevo.",
    VALIDATION_ERROR: "Un campo no es correcto.",
    RECORD_NOT_FOUND: "Ese registro no existe.",
    TRANSACTION_NOT_FOUND: "Este operador no tiene esa transacción.",
    ALREADY_EXISTS: "Ya existe un registro con este nombre.",
    NOT_RESENDABLE:
      "Solo se reenvía un premio o reembolso pendiente o fallido, y no un premio que espera su reversión.",
    NOT_RESOLVABLE:
      "Todavía no se puede cerrar. Debe estar pendiente más allá del horizonte, sin llamadas en curso, y el período de silencio tras la última llamada debe haber pasado.",
    ROTATION_RUNNING: "En este momento valen dos claves secretas. Primero termina o cancela ese cambio.",
    ROTATION_NOT_RUNNING: "Solo vale una clave secreta: el cambio ya terminó.",
    RATE_LIMITED: "Demasiadas llamadas. Espera unos segundos.",
    OVERLOADED: "El servicio tiene demasiado trabajo en este momento. Espera unos segundos.",
    SERVICE_UNAVAILABLE:
      "El servicio no alcanza su base de datos. Si cambiaste algo, mira si está hecho antes de repetirlo.",
    INTERNAL_ERROR: "Una falla del servicio. Su registro dice más.",
  },
};
