import type { Words } from "../en/en.ts";
import { refusals } from "../gen/words-pt.ts";

type Part = Pick<Words, "shell" | "navigation" | "signIn" | "state" | "failures">;

export const shell: Part = {
  shell: {
    title: "Backoffice",
    skip: "Ir para a página",
    menu: "Páginas",
    navigation: "Navegação",
    language: "Idioma",
    scheme: "Tema",
    zone: "Fuso horário",
    schemes: { system: "Como o dispositivo", light: "Claro", dark: "Escuro" },
    roles: { viewer: "Leitura", support: "Suporte", manager: "Gestão", owner: "Proprietário" },
    signOut: "Sair",
    needsRole: (least, own) =>
      `A página precisa de uma chave com o papel “${least}” ou um mais alto. Sua chave tem o papel “${own}”. Peça a um proprietário.`,
    noPage: "Não há página neste endereço",
  },
  navigation: {
    today: "Hoje",
    transactions: "Transações",
    stuck: "Dinheiro devido e parado",
    wallets: "Saúde das carteiras",
    reports: "Relatórios",
    brands: "Marcas",
    merchants: "Operadores",
    providers: "Provedores",
    games: "Importar jogos",
    start: "Primeiros passos",
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
    nothing: "Ainda não há números para desenhar",
    refresh: "Atualizar",
    cancel: "Cancelar",
    close: "Fechar",
    copy: "Copiar",
    copied: "Copiado",
    acting: "Um momento",
    filters: "Filtros",
    unapplied: (show) => `Ainda não mostrado: aperte “${show}”.`,
    reason: "Motivo, para a auditoria",
  },
  failures: {
    UNREACHABLE: "O serviço não responde. Verifique sua conexão de rede.",
    NOT_READABLE: "Quem respondeu não foi o serviço.",
    FILE_NOT_READABLE: "O navegador não consegue mais ler o arquivo. Escolha-o de novo.",
    ...refusals,
  },
};
