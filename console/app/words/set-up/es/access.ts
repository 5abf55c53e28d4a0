import { counted } from "../../counted.ts";
import type { SetUpWords } from "../en/en.ts";

export const ping: SetUpWords["ping"] = {
  title: "Preguntar a la billetera",
  lead: "Una consulta de saldo firmada, para un jugador. No mueve dinero. Queda en la auditoría.",
  act: "Preguntar",
  asking: "Preguntando",
  ok: "La billetera funciona",
  notOk: "La billetera no se puede usar",
  balance: "Saldo",
  took: "Duración",
};

export const walletChange: SetUpWords["walletChange"] = {
  changed: (at, actor, from, to) => `Cambiada el ${at} por ${actor}, de ${from} a ${to}.`,
  nothing: "nada",
  never: "Nunca cambió desde que se creó el operador.",
  entry: "Entrada en la auditoría",
};

export const rotation: SetUpWords["rotation"] = {
  title: "Clave secreta",
  one: "Vale una clave secreta.",
  both: (time) => `Dos claves secretas valen hasta ${time}. Después solo vale la nueva.`,
  rotate: "Crear una nueva clave secreta",
  finish: "Terminar ya la clave anterior",
  cancel: "Retirar la clave nueva",
  overlap: "Ambas claves valen durante",
  atOnce: "Ningún tiempo: la anterior termina ya",
  hours: (many) => (many % 24 === 0 ? counted(many / 24, "día", "días") : counted(many, "hora", "horas")),
  effect: {
    rotate: "Mientras tanto valen ambas, y las llamadas llevan las dos firmas. No se rechaza ninguna llamada.",
    atOnce:
      "La clave anterior termina en un segundo. Hasta que el operador cambie, se rechazan sus llamadas, y su billetera puede rechazar apuestas para siempre.",
    finish: "Solo la nueva vale en un segundo. Hazlo cuando todos los servidores del operador la usen.",
    cancel: "Solo la anterior vale en un segundo. Hazlo mientras ningún servidor del operador use la nueva.",
  },
  rotated: "La nueva clave secreta está creada.",
  ended: { finish: "Solo vale la clave nueva.", cancel: "Solo vale la clave anterior." },
  secretTitle: "La nueva clave secreta",
  secretText: "Cópiala ahora y dásela al operador. Nadie puede leerla otra vez.",
};

export const keys: SetUpWords["keys"] = {
  title: "Claves y roles",
  lead: "Crea una clave para cada persona y programa. La auditoría tiene los nombres de las claves.",
  none: "Todavía no hay claves",
  noneText: "Solo se usa la primera clave, ADMIN_KEY del servicio.",
  name: "Nombre",
  nameHint: "1 a 64 letras, dígitos, puntos, _ y -",
  holder: "Pertenece a",
  admin: "Administración",
  role: "Rol",
  state: "Estado",
  states: { valid: "Válida", expired: "Vencida", revoked: "Revocada" },
  expires: "Termina el",
  expiresHint: "Vacío: no vence",
  never: "nunca",
  act: "Cambiar",
  create: "Crear una clave de administración",
  made: "La nueva clave",
  madeText: "Cópiala ahora y dásela a su titular. Nadie puede leerla otra vez.",
  revoke: "Revocar",
  revokeOne: (name) => `Revocar la clave ${name}`,
  revoked: (name) => `La clave ${name} está revocada.`,
  revokeEffect: "La clave y sus sesiones terminan en toda réplica en un segundo, para siempre.",
  roles: "Qué puede hacer cada rol",
  rights: {
    viewer: "Ve marcas, operadores, proveedores, juegos y reportes.",
    support: "También ve transacciones y reportes por jugador, reenvía créditos y consulta billeteras.",
    manager: "También cambia la configuración, cierra transacciones y ve claves y la auditoría.",
    owner: "También crea y revoca claves de administración.",
  },
};
