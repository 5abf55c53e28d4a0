import type { Words } from "../en/en.ts";
import { merchantFacts } from "../gen/words-pt.ts";

type Part = Pick<Words, "audit" | "merchants">;

export const setUp: Part = {
  audit: {
    title: "Auditoria",
    lead: "Quem fez o quê, quando e por quê. As entradas nunca são alteradas nem apagadas.",
    none: "Nenhuma entrada aqui",
    target: "Registro",
    action: "Ação",
    actor: "Chave",
    because: (reason) => `Motivo: ${reason}`,
    changes: "O que mudou",
    field: "Campo",
    before: "Antes",
    after: "Depois",
    nothing: "nada",
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
    changeWallet: "Mudar o endereço da carteira",
    walletEffect:
      "A próxima chamada vai para o novo endereço, também as de transações pendentes. A carteira antiga não recebe mais nada.",
    changeIps: "Mudar a lista de endereços",
    ipHint: "Endereços e faixas CIDR, um por linha",
    everyAddress: "A lista está vazia: qualquer endereço pode chamar.",
    onlyThese: (many) =>
      many === 1
        ? "Só são aceitas chamadas deste 1 endereço ou faixa."
        : `Só são aceitas chamadas destes ${many} endereços e faixas.`,
    disable: "Desativar",
    disableOne: (code) => `Desativar o operador ${code}`,
    disableEffect: "Suas chamadas, aberturas e novas apostas são recusadas. Prêmios, reembolsos e reversões continuam.",
    enable: "Ativar",
    enableOne: (code) => `Ativar o operador ${code}`,
    enableEffect: "Suas chamadas, aberturas e apostas voltam a ser aceitas.",
  },
};
