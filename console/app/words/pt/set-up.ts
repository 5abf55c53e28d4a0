import type { Words } from "../en/en.ts";
import { merchantFacts } from "../gen/words-pt.ts";

type Part = Pick<Words, "audit" | "merchants">;

export const setUp: Part = {
  audit: {
    target: "Registro",
    actor: "Chave",
    because: (reason) => `Motivo: ${reason}`,
  },
  merchants: {
    facts: merchantFacts,
    title: "Operadores",
    lead: "Cada um tem uma moeda e uma carteira.",
    merchant: "Operador",
    none: "Nenhum operador ainda",
    choose: "Escolha um operador",
    noneText: "A página Primeiros passos leva ao primeiro.",
    back: "Todos os operadores",
    code: "Código",
    name: "Nome",
    brand: "Marca",
    currency: "Moeda",
    state: "Situação",
    enabled: "Ativo",
    disabled: "Desativado",
    wallet: "Endereço da carteira",
    noWallet: "ainda nenhum",
    products: "Produtos",
    language: "Idioma",
    ipList: "Endereços que podem chamar",
    anyAddress: "qualquer endereço",
    api: "Endereço da API",
    settings: "Configuração",
    itsTransactions: "Transações deste operador",
    itsReport: "Receita deste operador",
    whoChanged: "Quem alterou este operador",
    changed: "A mudança está gravada. Toda réplica a conhece em um segundo.",
    save: "Salvar",
    disable: "Desativar",
    enable: "Ativar",
  },
};
