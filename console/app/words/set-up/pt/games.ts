import type { SetUpWords } from "../en/en.ts";

export const games: SetUpWords["games"] = {
  title: "Importar jogos",
  lead: "O arquivo adiciona ou altera só os jogos que contém. Antes você vê o que ele fará.",
  known: (many) => `Jogos no catálogo: ${many}`,
  file: "Arquivo com jogos",
  fileHint: "Um arquivo cujo nome termina em .csv ou .json, de no máximo 64 MiB",
  checking: "O arquivo está sendo verificado. Nada muda ainda.",
  sum: (created, updated, unchanged) => `Novos: ${created}. Alterados: ${updated}. Sem mudança: ${unchanged}.`,
  nothing: "O catálogo já tem tudo deste arquivo.",
  changed: "Alterados",
  changes: "O que muda",
  new: "Novos",
  deactivated: (many) => `O arquivo desativa jogos, que os jogadores deixam de ver: ${many}`,
  missing: "Não estão no arquivo",
  missingText: "Estes jogos estão no catálogo e podem ser abertos. A importação não os altera.",
  more: (many) => `E mais ${many}.`,
  faults: "Linhas erradas",
  wrong: (many) => `Entradas erradas: ${many}`,
  wrongText: "Nada muda. Corrija o arquivo e escolha-o de novo.",
  stopped: (sum) => `Uma parte do arquivo foi gravada antes do erro: ${sum} Corrija o arquivo e importe-o de novo.`,
  line: "Linha",
  rule: "O que se espera",
  act: "Importar",
  effect:
    "Cada campo destes jogos recebe o valor do arquivo. Um campo que o arquivo não tem passa a ser desconhecido. Só “ativo” fica como está.",
  done: "Os jogos foram importados.",
};
