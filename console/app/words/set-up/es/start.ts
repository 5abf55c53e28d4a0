import type { SetUpWords } from "../en/en.ts";

export const newMerchant: SetUpWords["newMerchant"] = {
  create: "Crear un operador",
  walletHint: "Una dirección https. Sin ella el operador solo puede abrir demos.",
  jurisdictionHint: "Un código ISO 3166, como BR o AR-B. Los proveedores lo reciben en cada apertura.",
  secret: "La clave secreta del operador",
  secretText: (code, api) =>
    `Dale al operador su código ${code}, esta clave secreta y la dirección de la API, ${api}. Nadie puede leer la clave otra vez.`,
};

export const start: SetUpWords["start"] = {
  title: "Primeros pasos",
  lead: "De una instalación vacía a la primera apertura. Cada paso se guarda enseguida: puedes parar y seguir más tarde.",
  brand: "Marca",
  merchant: "Operador",
  provider: "Proveedor",
  source: "El servidor de juegos del proveedor",
  games: "Juegos",
  launch: "Primera apertura",
  done: "Hecho",
  isNext: "Siguiente",
  later: "Este paso viene después de los de arriba.",
  gamesThere: (many) => `Juegos de este proveedor: ${many}`,
  gamesText: (code) => `Un archivo con juegos del proveedor ${code}.`,
  launchedAt: (time) => `La última apertura que funcionó: ${time}`,
  launchText: (merchant) =>
    `El servicio abre el juego como si lo hubiera pedido el servidor de ${merchant}. No se mueve dinero hasta que alguien apuesta. La apertura registra al jugador en el servicio, y desde entonces la moneda del operador es fija.`,
  launchAct: "Abrir",
  playerHint: "El identificador de un jugador en el sistema del operador",
  demo: "Como demo, con dinero de juguete",
  launched: "El juego está abierto en su proveedor. La dirección vale una sola vez.",
  open: "Abrir el juego",
  next: "Ver las transacciones del operador",
};

export const merchantActs: SetUpWords["merchantActs"] = {
  changeWallet: "Cambiar la dirección de la billetera",
  walletEffect:
    "La próxima llamada va a la nueva dirección, también las de transacciones pendientes. La billetera anterior ya no recibe nada.",
  changeIps: "Cambiar la lista de direcciones",
  ipHint: "Direcciones y rangos CIDR, uno por línea",
  everyAddress: "La lista está vacía: cualquier dirección puede llamar.",
  onlyThese: (many) =>
    many === 1
      ? "Solo se aceptan llamadas de esta 1 dirección o rango."
      : `Solo se aceptan llamadas de estas ${many} direcciones y rangos.`,
  disableOne: (code) => `Desactivar el operador ${code}`,
  disableEffect: "Se rechazan sus llamadas, aperturas y nuevas apuestas. Premios, reembolsos y reversiones siguen.",
  enableOne: (code) => `Activar el operador ${code}`,
  enableEffect: "Se vuelven a aceptar sus llamadas, aperturas y apuestas.",
};
