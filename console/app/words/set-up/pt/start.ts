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
