import type { Words } from "../en/en.ts";

export const faults: Pick<Words, "faults"> = {
  faults: {
    wrong: (field) => `${field}: este valor não está certo.`,
    noRecord: (field) => `${field}: não há registro com este valor.`,
    rules: {
      required: () => "Escreva um valor.",
      days: (max) => `São possíveis no máximo ${max} dias.`,
      notBefore: (first) => `Não pode ser antes de “${first}”.`,
      zone: () => "Escreva o nome de um fuso horário, como America/Sao_Paulo ou UTC.",
      date: () => "Escolha um dia.",
      https: () => "O endereço deve começar com https://.",
      url: () => "Escreva um endereço completo, como https://api.example.com/callback.",
      host: () => "O endereço deve ser da internet pública.",
      source: () => "Escreva um endereço como https://host:porta, sem caminho.",
      characters: (max) => `Escreva de 1 a ${max} caracteres.`,
      range: (min, max) => `Escolha de ${min} a ${max}.`,
      letters: (min, max, letters) => `Escreva de ${min} a ${max} destes caracteres: ${letters}.`,
      future: () => "Escolha um momento futuro.",
      used: () => "Uma chave tem ou teve este nome. Escolha outro.",
      unknown: () => "Esse registro não existe.",
      place: () => "Escreva um código ISO 3166 em maiúsculas, como BR ou AR-B.",
      merchant: () => "Escolha um operador: há operadores demais para olhar todos.",
      ips: (max) => `Escreva no máximo ${max} endereços ou faixas CIDR.`,
      origins: (max) => `Escreva no máximo ${max} origens sem caminho, como https://shop.example.`,
      atMost: (max) => `São possíveis no máximo ${max}.`,
      rows: (max) => `A resposta teria mais de ${max} linhas.`,
    },
  },
};
