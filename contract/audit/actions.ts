/** The actions of the audit log, as sentences in the console. {} is the record's name. */
export const AUDIT_ACTIONS = {
  "alert acknowledge": {
    pt: "marcou o alerta {} como resolvido",
    es: "marcó la alerta {} como resuelta",
    en: "marked the alert {} as done",
  },
  "brand create": { pt: "criou a marca {}", es: "creó la marca {}", en: "created the brand {}" },
  "brand set": { pt: "alterou a marca {}", es: "cambió la marca {}", en: "changed the brand {}" },
  "console sign-in": {
    pt: "entrou no backoffice",
    es: "ingresó a la administración",
    en: "signed in to the back office",
  },
  "console sign-out": {
    pt: "saiu do backoffice",
    es: "salió de la administración",
    en: "signed out of the back office",
  },
  "game import": {
    pt: "alterou o jogo {} com uma importação",
    es: "cambió el juego {} con una importación",
    en: "changed the game {} with an import",
  },
  "game import games": { pt: "importou jogos", es: "importó juegos", en: "imported games" },
  "game launch": {
    pt: "abriu um jogo para o jogador {}",
    es: "abrió un juego para el jugador {}",
    en: "launched a game for the player {}",
  },
  "game set": { pt: "alterou o jogo {}", es: "cambió el juego {}", en: "changed the game {}" },
  "key create": {
    pt: "criou a chave de administração {}",
    es: "creó la clave de administración {}",
    en: "made the admin key {}",
  },
  "key create provider": {
    pt: "criou uma chave do provedor {}",
    es: "creó una clave del proveedor {}",
    en: "made a key of the provider {}",
  },
  "key revoke": {
    pt: "revogou a chave de administração {}",
    es: "revocó la clave de administración {}",
    en: "revoked the admin key {}",
  },
  "key revoke provider": {
    pt: "revogou uma chave do provedor {}",
    es: "revocó una clave del proveedor {}",
    en: "revoked a key of the provider {}",
  },
  "key rotate-master": {
    pt: "cifrou as chaves secretas de todos os operadores com a primeira chave mestra",
    es: "cifró las claves secretas de todos los operadores con la primera clave maestra",
    en: "encrypted the secrets of all merchants with the first master key",
  },
  "merchant create": { pt: "criou o operador {}", es: "creó el operador {}", en: "created the merchant {}" },
  "merchant set": { pt: "alterou o operador {}", es: "cambió el operador {}", en: "changed the merchant {}" },
  "merchant enable": { pt: "ativou o operador {}", es: "activó el operador {}", en: "enabled the merchant {}" },
  "merchant disable": { pt: "desativou o operador {}", es: "desactivó el operador {}", en: "disabled the merchant {}" },
  "merchant ping": {
    pt: "consultou na carteira o saldo do jogador {}",
    es: "consultó a la billetera el saldo del jugador {}",
    en: "asked the wallet for the balance of the player {}",
  },
  "merchant rotate-secret": {
    pt: "gerou uma nova chave secreta para o operador {}",
    es: "creó una nueva clave secreta para el operador {}",
    en: "made a new secret for the merchant {}",
  },
  "merchant finish-rotation": {
    pt: "encerrou a chave secreta antiga do operador {}",
    es: "terminó la clave secreta anterior del operador {}",
    en: "ended the old secret of the merchant {}",
  },
  "merchant cancel-rotation": {
    pt: "retirou a nova chave secreta do operador {}",
    es: "retiró la nueva clave secreta del operador {}",
    en: "took back the new secret of the merchant {}",
  },
  "provider create": { pt: "criou o provedor {}", es: "creó el proveedor {}", en: "created the provider {}" },
  "provider set": { pt: "alterou o provedor {}", es: "cambió el proveedor {}", en: "changed the provider {}" },
  "provider add-source": {
    pt: "incluiu ou alterou uma fonte do provedor {}",
    es: "agregó o cambió una fuente del proveedor {}",
    en: "added or changed a source of the provider {}",
  },
  "provider remove-source": {
    pt: "retirou uma fonte do provedor {}",
    es: "quitó una fuente del proveedor {}",
    en: "removed a source of the provider {}",
  },
  "provider rotate-key": {
    pt: "criou uma nova chave do provedor {} e revogou as demais",
    es: "creó una nueva clave del proveedor {} y revocó las demás",
    en: "made a new key of the provider {}, and revoked the others",
  },
  "report ggr": {
    pt: "leu um relatório por jogador do operador {}",
    es: "leyó un reporte por jugador del operador {}",
    en: "read a report by player of the merchant {}",
  },
  "round show": { pt: "olhou a rodada {}", es: "miró la ronda {}", en: "looked at the round {}" },
  "transaction close-contradiction": {
    pt: "encerrou a contradição da carteira sobre a transação {}",
    es: "cerró la contradicción de la billetera sobre la transacción {}",
    en: "closed the contradiction of the wallet about the transaction {}",
  },
  "transaction list": {
    pt: "listou transações do operador {}",
    es: "listó transacciones del operador {}",
    en: "listed transactions of the merchant {}",
  },
  "transaction player": {
    pt: "consultou o que não está em ordem com o dinheiro do jogador {}",
    es: "consultó qué no está en orden con el dinero del jugador {}",
    en: "looked at what is wrong with the money of the player {}",
  },
  "transaction search": {
    pt: "procurou nas transações do operador {}",
    es: "buscó en las transacciones del operador {}",
    en: "searched the transactions of the merchant {}",
  },
  "transaction search all": {
    pt: "procurou nas transações de todos os operadores",
    es: "buscó en las transacciones de todos los operadores",
    en: "searched the transactions of all merchants",
  },
  "transaction show": { pt: "olhou a transação {}", es: "miró la transacción {}", en: "looked at the transaction {}" },
  "transaction resend": {
    pt: "reenviou a transação {}",
    es: "reenvió la transacción {}",
    en: "sent the transaction {} again",
  },
  "transaction stuck": {
    pt: "olhou o dinheiro devido e parado do operador {}",
    es: "miró el dinero debido y detenido del operador {}",
    en: "looked at the owed and stuck money of the merchant {}",
  },
  "transaction stuck all": {
    pt: "olhou o dinheiro devido e parado de todos os operadores",
    es: "miró el dinero debido y detenido de todos los operadores",
    en: "looked at the owed and stuck money of all merchants",
  },
  "transaction stuck merchant open": {
    pt: "listou as transações pendentes do operador {}",
    es: "listó las transacciones pendientes del operador {}",
    en: "listed the pending transactions of the merchant {}",
  },
  "transaction stuck all open": {
    pt: "listou as transações pendentes de todos os operadores",
    es: "listó las transacciones pendientes de todos los operadores",
    en: "listed the pending transactions of all merchants",
  },
  "transaction resolve": {
    pt: "encerrou à mão a transação {}",
    es: "cerró a mano la transacción {}",
    en: "closed the transaction {} by hand",
  },
} as const satisfies Record<string, Readonly<Record<"pt" | "es" | "en", string>>>;
