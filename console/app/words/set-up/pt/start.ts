import type { SetUpWords } from "../en/en.ts";

export const newMerchant: SetUpWords["newMerchant"] = {
  create: "Criar um operador",
  walletHint: "Um endereço https. Sem ele o operador só pode abrir demonstrações.",
  jurisdictionHint: "Um código ISO 3166, como BR ou AR-B. Os fornecedores o recebem em cada abertura.",
  secret: "A chave secreta do operador",
  secretText: (code, api) =>
    `Entregue ao operador o seu código ${code}, esta chave secreta e o endereço da API, ${api}. Ninguém pode ler a chave outra vez.`,
};

export const start: SetUpWords["start"] = {
  title: "Primeiros passos",
  lead: "De uma instalação vazia à primeira abertura. Cada passo é gravado na hora: você pode parar e continuar depois.",
  brand: "Marca",
  merchant: "Operador",
  provider: "Provedor",
  source: "O servidor de jogos do provedor",
  games: "Jogos",
  launch: "Primeira abertura",
  done: "Feito",
  isNext: "Próximo",
  later: "Este passo vem depois dos passos acima.",
  gamesThere: (many) => `Jogos deste provedor: ${many}`,
  gamesText: (code) => `Um arquivo com jogos do provedor ${code}.`,
  launchedAt: (time) => `A última abertura que funcionou: ${time}`,
  launchText: (merchant) =>
    `O serviço abre o jogo como se o servidor de ${merchant} o tivesse pedido. Nenhum dinheiro se move até que alguém aposte. A abertura registra o jogador no serviço, e a partir daí a moeda do operador é fixa.`,
  launchAct: "Abrir",
  playerHint: "O identificador de um jogador no sistema do operador",
  demo: "Como demonstração, com dinheiro de brinquedo",
  launched: "O jogo está aberto no seu provedor. O endereço vale uma única vez.",
  open: "Abrir o jogo",
  next: "Ver as transações do operador",
};

export const merchantActs: SetUpWords["merchantActs"] = {
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
  disableOne: (code) => `Desativar o operador ${code}`,
  disableEffect: "Suas chamadas, aberturas e novas apostas são recusadas. Prêmios, reembolsos e reversões continuam.",
  enableOne: (code) => `Ativar o operador ${code}`,
  enableEffect: "Suas chamadas, aberturas e apostas voltam a ser aceitas.",
};
