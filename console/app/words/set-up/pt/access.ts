import { counted } from "../../counted.ts";
import type { SetUpWords } from "../en/en.ts";

export const ping: SetUpWords["ping"] = {
  title: "Consultar a carteira",
  lead: "Uma consulta de saldo assinada, para um jogador. Não move dinheiro. Fica na auditoria.",
  act: "Perguntar",
  asking: "Perguntando",
  ok: "A carteira funciona",
  notOk: "A carteira não pode ser usada",
  balance: "Saldo",
  took: "Duração",
};

export const walletChange: SetUpWords["walletChange"] = {
  changed: (at, actor, from, to) => `Mudado em ${at} por ${actor}, de ${from} para ${to}.`,
  nothing: "nada",
  never: "Nunca mudou desde que o operador foi criado.",
  entry: "Registro na auditoria",
};

export const rotation: SetUpWords["rotation"] = {
  title: "Chave secreta",
  one: "Há uma chave secreta válida.",
  both: (time) => `Duas chaves secretas valem até ${time}. Depois só vale a nova.`,
  rotate: "Gerar uma nova chave secreta",
  finish: "Encerrar agora a chave antiga",
  cancel: "Retirar a chave nova",
  overlap: "As duas chaves valem por",
  atOnce: "Nenhum tempo: a antiga termina agora",
  hours: (many) => (many % 24 === 0 ? counted(many / 24, "dia", "dias") : counted(many, "hora", "horas")),
  effect: {
    rotate: "As duas valem enquanto isso, e as chamadas levam as duas assinaturas. Nenhuma chamada é recusada.",
    atOnce:
      "A chave antiga termina em um segundo. Até que o operador mude, suas chamadas são recusadas, e a sua carteira pode recusar apostas de vez.",
    finish: "Só a nova vale em um segundo. Faça isto quando todos os servidores do operador a usarem.",
    cancel: "Só a antiga vale em um segundo. Faça isto enquanto nenhum servidor do operador usa a nova.",
  },
  rotated: "A nova chave secreta foi gerada.",
  ended: { finish: "Só a chave nova vale.", cancel: "Só a chave antiga vale." },
  secretTitle: "A nova chave secreta",
  secretText: "Copie agora e entregue ao operador. Ninguém pode ler esta chave outra vez.",
};

export const keys: SetUpWords["keys"] = {
  title: "Chaves e papéis",
  lead: "Crie uma chave para cada pessoa e programa. A auditoria tem os nomes das chaves.",
  none: "Nenhuma chave ainda",
  noneText: "Só a primeira chave, ADMIN_KEY do serviço, está em uso.",
  name: "Nome",
  nameHint: "1 a 64 letras, dígitos, pontos, _ e -",
  holder: "Pertence a",
  admin: "Administração",
  role: "Papel",
  state: "Situação",
  states: { valid: "Válida", expired: "Expirada", revoked: "Revogada" },
  expires: "Termina em",
  expiresHint: "Vazio: não expira",
  never: "nunca",
  act: "Mudar",
  create: "Criar uma chave de administração",
  made: "A nova chave",
  madeText: "Copie agora e entregue ao titular. Ninguém pode ler esta chave outra vez.",
  revoke: "Revogar",
  revokeOne: (name) => `Revogar a chave ${name}`,
  revoked: (name) => `A chave ${name} foi revogada.`,
  revokeEffect: "A chave e as suas sessões terminam em toda réplica em um segundo, para sempre.",
  roles: "O que cada papel pode fazer",
  rights: {
    viewer: "Vê marcas, operadores, provedores, jogos e relatórios.",
    support: "Também vê transações e relatórios por jogador, reenvia créditos e consulta carteiras.",
    manager: "Também muda a configuração, encerra transações e vê chaves e a auditoria.",
    owner: "Também cria e revoga chaves de administração.",
  },
};
