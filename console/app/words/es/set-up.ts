import type { Words } from "../en/en.ts";
import { merchantFacts } from "../gen/words-es.ts";

type Part = Pick<Words, "audit" | "merchants">;

export const setUp: Part = {
  audit: {
    title: "Auditoría",
    lead: "Quién hizo qué, cuándo y por qué. Las entradas nunca se cambian ni se borran.",
    none: "Aquí no hay entradas",
    target: "Registro",
    action: "Acción",
    actor: "Clave",
    because: (reason) => `Motivo: ${reason}`,
    changes: "Qué cambió",
    field: "Campo",
    before: "Antes",
    after: "Después",
    nothing: "nada",
  },
  merchants: {
    facts: merchantFacts,
    title: "Operadores",
    lead: "Cada uno tiene una moneda y una billetera.",
    merchant: "Operador",
    none: "Todavía no hay operadores",
    choose: "Elige un operador",
    noneText: "La página Primeros pasos lleva al primero.",
    back: "Todos los operadores",
    code: "Código",
    name: "Nombre",
    brand: "Marca",
    currency: "Moneda",
    state: "Estado",
    enabled: "Activo",
    disabled: "Desactivado",
    wallet: "Dirección de la billetera",
    noWallet: "todavía ninguna",
    products: "Productos",
    language: "Idioma",
    ipList: "Direcciones que pueden llamar",
    anyAddress: "cualquier dirección",
    api: "Dirección de la API",
    settings: "Configuración",
    itsTransactions: "Transacciones de este operador",
    itsReport: "Ingresos de este operador",
    whoChanged: "Quién cambió este operador",
    changed: "El cambio está guardado. Toda réplica lo conoce en un segundo.",
    save: "Guardar",
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
    disable: "Desactivar",
    disableOne: (code) => `Desactivar el operador ${code}`,
    disableEffect: "Se rechazan sus llamadas, aperturas y nuevas apuestas. Premios, reembolsos y reversiones siguen.",
    enable: "Activar",
    enableOne: (code) => `Activar el operador ${code}`,
    enableEffect: "Se vuelven a aceptar sus llamadas, aperturas y apuestas.",
  },
};
