// Generated out of contract/ by `npm run generate`. Do not edit.
export const refusals = {
  "INVALID_API_KEY": "Sua sessão terminou.",
  "MERCHANT_DISABLED": "O operador está desativado.",
  "RATE_LIMITED": "Chamadas demais. Espere alguns segundos.",
  "VALIDATION_ERROR": "Um campo não está certo.",
  "GAME_NOT_FOUND": "Não existe esse jogo, ou ele está inativo.",
  "PRODUCT_NOT_ENABLED": "O operador não tem este produto.",
  "PROVIDER_NOT_SUPPORTED": "O provedor está inativo, ou não tem uma fonte ativa.",
  "LAUNCH_FAILED": "Nenhuma fonte do provedor abriu o jogo. A página do provedor mostra por quê.",
  "WALLET_NOT_CONFIGURED": "O operador não tem endereço de carteira. Só é possível abrir demonstrações.",
  "TRANSACTION_NOT_FOUND": "Este operador não tem essa transação.",
  "NOT_RESENDABLE": "Só se reenvia um prêmio ou reembolso pendente ou falho, e não um prêmio que espera a sua reversão.",
  "ROLE_NOT_ALLOWED": "Isto precisa de uma chave com um papel mais alto. Peça a um proprietário.",
  "FOREIGN_PAGE": "O serviço recusou a chamada porque ela não veio desta página. Carregue a página de novo.",
  "RECORD_NOT_FOUND": "Esse registro não existe.",
  "ALREADY_EXISTS": "Já existe um registro com este nome.",
  "ROTATION_RUNNING": "Duas chaves secretas valem no momento. Primeiro conclua ou cancele essa troca.",
  "ROTATION_NOT_RUNNING": "Só uma chave secreta vale: a troca já terminou.",
  "NOT_RESOLVABLE": "Não pode ser encerrada agora: é nova demais, ou a carteira está sendo chamada.",
  "OVERLOADED": "O serviço tem trabalho demais no momento. Espere alguns segundos.",
  "SERVICE_UNAVAILABLE": "O serviço não alcança o seu banco de dados. Se você mudou algo, veja se está feito antes de repetir.",
  "INTERNAL_ERROR": "Uma falha do serviço. O registro dele diz mais.",
};
export const groups = {
  "day": "Dia",
  "merchant": "Operador",
  "provider": "Provedor",
  "game": "Jogo",
  "type": "Tipo",
  "player": "Jogador",
};
export const merchantFacts = {
  "jurisdiction": "Jurisdição",
  "traceContext": "Cabeçalho traceparent nas chamadas à carteira",
};
export const kinds = {
  "tip": "Gorjeta",
  "feature_buy": "Compra de bônus",
  "free_rounds": "Rodadas grátis",
  "jackpot": "Jackpot acumulado",
  "tournament": "Torneio",
  "prize_drop": "Prêmio surpresa",
  "promo": "Promoção",
  "cash_out": "Encerramento antecipado",
  "adjustment": "Ajuste",
};
