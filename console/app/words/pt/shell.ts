import type { Words } from "../en/en.ts";

type Part = Pick<Words, "shell" | "navigation" | "signIn" | "state" | "failures">;

export const shell: Part = {
  shell: {
    title: "Retaguarda",
    skip: "Ir para a página",
    menu: "Páginas",
    navigation: "Navegação",
    language: "Idioma",
    scheme: "Aparência",
    schemes: { system: "Como o sistema", light: "Clara", dark: "Escura" },
    roles: { viewer: "Leitura", support: "Suporte", manager: "Gestão", owner: "Proprietário" },
    signOut: "Sair",
    noPage: "Não há página neste endereço",
  },
  navigation: {
    today: "Hoje",
    transactions: "Transações",
    stuck: "Dinheiro parado",
    wallets: "Saúde das carteiras",
    reports: "Relatórios",
    merchants: "Operadores",
    keys: "Chaves e papéis",
    audit: "Auditoria",
  },
  signIn: {
    lead: "Entre com a sua chave de administração. O papel da chave decide o que você vê e o que pode fazer.",
    key: "Chave de administração",
    hint: "O navegador guarda uma sessão curta, e não a chave.",
    act: "Entrar",
    wrong: "Esta não é uma chave de administração deste serviço, ou ela expirou ou foi revogada.",
    ended: "Sua sessão terminou: ficou parada por muito tempo, ou a chave expirou ou foi revogada. Entre de novo.",
  },
  state: {
    loading: "Carregando",
    failed: "Não foi possível ler",
    notAllowed: "Sua chave não pode ver isto",
    again: "Tentar de novo",
    stale: (time) => `Estes números são das ${time}.`,
    asOf: (time, age) => `Números das ${time}, há ${age}.`,
    more: "Mostrar mais",
    refresh: "Ler de novo",
    cancel: "Cancelar",
    close: "Fechar",
    copy: "Copiar",
    copied: "Copiado",
    acting: "Um momento",
  },
  failures: {
    UNREACHABLE: "O serviço não responde. Sua rede está funcionando?",
    NOT_READABLE: "Quem respondeu não foi o serviço.",
    INVALID_API_KEY: "Sua sessão terminou.",
    ROLE_NOT_ALLOWED: "Isto precisa de uma chave com um papel mais alto. Peça a um proprietário.",
    FOREIGN_PAGE: "O serviço recusou a chamada porque ela não veio desta página. Carregue a página de novo.",
    VALIDATION_ERROR: "Um campo não está certo.",
    RECORD_NOT_FOUND: "Esse registro não existe.",
    TRANSACTION_NOT_FOUND: "Este operador não tem essa transação.",
    ALREADY_EXISTS: "Já existe um registro com este nome.",
    NOT_RESENDABLE:
      "Só se reenvia um prêmio ou reembolso pendente ou falho, e não um prêmio que espera a sua reversão.",
    NOT_RESOLVABLE:
      "Ainda não pode ser encerrada. Ela precisa estar pendente além do horizonte, sem chamada em andamento, e o período de silêncio após a última chamada precisa ter passado.",
    ROTATION_RUNNING: "Duas chaves secretas valem no momento. Primeiro conclua ou cancele essa troca.",
    ROTATION_NOT_RUNNING: "Só uma chave secreta vale: a troca já terminou.",
    RATE_LIMITED: "Chamadas demais. Espere alguns segundos.",
    OVERLOADED: "O serviço tem trabalho demais no momento. Espere alguns segundos.",
    SERVICE_UNAVAILABLE:
      "O serviço não alcança o seu banco de dados. Se você mudou algo, veja se está feito antes de repetir.",
    INTERNAL_ERROR: "Uma falha do serviço. O registro dele diz mais.",
  },
};
