import type { Words } from "../en/en.ts";
import { merchantFacts } from "../gen/words-es.ts";

type Part = Pick<Words, "audit" | "merchants">;

export const setUp: Part = {
  audit: {
    target: "Registro",
    actor: "Clave",
    because: (reason) => `Motivo: ${reason}`,
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
    disable: "Desactivar",
    enable: "Activar",
  },
};
