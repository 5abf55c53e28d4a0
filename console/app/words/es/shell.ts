import type { Words } from "../en/en.ts";
import { refusals } from "../gen/words-es.ts";

type Part = Pick<Words, "shell" | "navigation" | "signIn" | "state" | "failures">;

export const shell: Part = {
  shell: {
    title: "Administración",
    skip: "Ir a la página",
    menu: "Páginas",
    navigation: "Navegación",
    language: "Idioma",
    scheme: "Tema",
    zone: "Zona horaria",
    schemes: { system: "Como el dispositivo", light: "Claro", dark: "Oscuro" },
    roles: { viewer: "Lectura", support: "Soporte", manager: "Gestión", owner: "Propietario" },
    signOut: "Salir",
    needsRole: (least, own) =>
      `La página necesita una clave con el rol «${least}» o uno más alto. Tu clave tiene el rol «${own}». Pídela a un propietario.`,
    noPage: "No hay ninguna página en esta dirección",
  },
  navigation: {
    today: "Hoy",
    transactions: "Transacciones",
    stuck: "Dinero debido y detenido",
    wallets: "Salud de las billeteras",
    reports: "Reportes",
    brands: "Marcas",
    merchants: "Operadores",
    providers: "Proveedores",
    games: "Importar juegos",
    start: "Primeros pasos",
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
    nothing: "Todavía no hay cifras para dibujar",
    refresh: "Actualizar",
    cancel: "Cancelar",
    close: "Cerrar",
    copy: "Copiar",
    copied: "Copiado",
    acting: "Un momento",
    filters: "Filtros",
    unapplied: (show) => `Todavía no se muestra: pulsa «${show}».`,
    reason: "Motivo, para la auditoría",
  },
  failures: {
    UNREACHABLE: "El servicio no responde. Comprueba tu conexión a la red.",
    NOT_READABLE: "Respondió algo que no es el servicio.",
    FILE_NOT_READABLE: "El navegador ya no puede leer el archivo. Elígelo de nuevo.",
    ...refusals,
  },
};
