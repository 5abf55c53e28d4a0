import type { Words } from "../en/en.ts";

export const alerts: Pick<Words, "alerts"> = {
  alerts: {
    title: "Alertas abiertas",
    text: "Las más nuevas van primero. Una alerta se cierra cuando su causa termina, o cuando alguien la marca como resuelta.",
    none: "No hay alertas abiertas",
    failed: "No se pudieron leer las alertas.",
    more: (shown) => `Aquí solo están las ${shown} más nuevas.`,
    count: (many) => (many === "1" ? "1 alerta abierta" : `${many} alertas abiertas`),
    todo: "Qué hacer",
    needs: (role) => `Tu clave no puede hacer todo esto: necesita el rol “${role}” o uno superior.`,
    times: (many) => (many === "1" ? "Una vez" : `${many} veces`),
    last: (time) => `última ${time}`,
    since: (time) => `primera ${time}`,
    goesOn: "sigue en curso",
    newest: "la más reciente:",
    allOwed: (merchant) => `Todos los premios y reembolsos debidos de ${merchant}`,
    forOperators: "Para quienes operan el servicio",
    replica: (name) => `La última vez ocurrió en el servidor ${name}.`,
    runbook: (name) => `Guía ${name} en docs/runbooks.md.`,
    unknown: "Esta página no conoce esta alerta. La guía dice qué significa.",
    keyKinds: {
      admin: "Claves de administración",
      provider: "Claves de proveedores",
      sportsbook: "Claves del sitio de apuestas",
    },
    done: "Marcar como resuelta",
    differs: {
      low: (day, amount) => `El ${day} (UTC) el reporte muestra ${amount} de menos.`,
      high: (day, amount) => `El ${day} (UTC) el reporte muestra ${amount} de más.`,
      same: (day) => `El ${day} (UTC) el GGR es correcto, pero otras cifras difieren.`,
    },
    doneTitle: "¿Marcar esta alerta como resuelta?",
    doneText: "Sale de la lista de todos los operadores y no mueve dinero. Si ocurre otra vez, vuelve a la lista.",
    reason: "Qué se hizo, para la auditoría",
    again: "Ocurrió otra vez mientras tanto, o ya está cerrada. Actualiza para verla.",
    known: {
      credit_failed: {
        means:
          "Una billetera rechazó un premio o reembolso. El operador lo debe a un jugador, salvo que no se haya debitado la apuesta.",
        act: "Pregunta al operador por qué su billetera rechaza créditos. Después reenvía la transacción: se acredita una sola vez.",
      },
      credit_failed_after_silence: {
        means:
          "Una billetera rechazó un premio o reembolso que tal vez ya aplicó. Quizá el jugador ya tiene el dinero.",
        act: "Pide al operador que busque el id en sus registros. Si no está, reenvía la transacción.",
      },
      resend_horizon_over: {
        means:
          "Un premio o reembolso quedó sin respuesta hasta su horizonte. Ya no se reenvía, y el jugador sigue esperando el dinero.",
        act: "Habla con el operador. Si su billetera funciona otra vez, reenvía la transacción, o ciérrala a mano con pruebas.",
      },
      reversal_contradicts: {
        means:
          "La respuesta a un reembolso o reversión contradice la original guardada. La billetera o el servicio se equivoca sobre este dinero.",
        act: "Compara los dos ids con los registros del operador y concilia ese día.",
      },
      original_stuck: {
        means:
          "La billetera rechazó un reembolso o reversión, pero no respondió a la transacción original. Nadie sabe si ese dinero se movió.",
        act: "Pregunta al operador si la original está en sus registros. Reenvía el reembolso, o cierra las dos después del horizonte.",
      },
      win_held: {
        means: "Un premio espera su reversión, así que el jugador todavía no lo recibe.",
        act: "Pide al proveedor que repita la reversión. Mira la salud de la billetera.",
      },
      wallet_contradicts: {
        means: "Una billetera dio dos respuestas opuestas a un id. Sus registros pueden diferir de los nuestros.",
        act: "Concilia ese día con el operador, cierra la contradicción en su cronología y haz certificar de nuevo la billetera.",
      },
      rollback_failed: {
        means:
          "Una billetera rechazó la reversión de un premio. El jugador se queda con dinero que el proveedor retira.",
        act: "Avisa al operador. Él arregla la deuda con el proveedor.",
      },
      label_differs: {
        means:
          "Un proveedor envió una etiqueta errónea, o dos etiquetas para un id. El dinero está bien, pero un reporte puede no mostrarlo.",
        act: "Di al proveedor qué etiqueta está mal.",
      },
      slip_stuck: {
        means: "Un cupón de apuestas no ha terminado. Algunas de sus apuestas pueden estar debitadas.",
        act: "Mira sus apuestas y los reembolsos que faltan. Mira la salud de la billetera.",
      },
      breaker_open: {
        means: "Una billetera no responde. Las apuestas nuevas están limitadas, y los premios y reembolsos esperan.",
        act: "Mira la salud de la billetera y llama al equipo de operaciones del operador.",
      },
      wallet_401s: {
        means:
          "Una billetera rechaza nuestra firma. Las apuestas fallan. Los premios y reembolsos se rechazan o esperan.",
        act: "Pide un saldo a la billetera en la página del operador. Compara la clave secreta, y un cambio de clave en curso.",
      },
      wallet_tls: {
        means:
          "La conexión cifrada con una billetera falla. Nada llega a ella: las apuestas se rechazan, y los premios y reembolsos esperan.",
        act: "Mira la razón. Por lo general el operador debe renovar su certificado.",
      },
      wallet_redirects: {
        means:
          "Una billetera responde con una redirección, que no se sigue. Las apuestas quedan sin respuesta, y los premios y reembolsos esperan.",
        act: "Pide al operador la dirección correcta de la billetera y cámbiala en la página del operador.",
      },
      wallet_address: {
        means:
          "La dirección de una billetera no está permitida. Nada llega a ella: las apuestas se rechazan, y los premios y reembolsos esperan.",
        act: "Pide al operador una dirección pública y revisa su DNS.",
      },
      balance_precision: {
        means: "Una billetera envió un saldo con demasiados decimales. El dinero se mueve igual con exactitud.",
        act: "Dile al operador qué saldo envió para este id.",
      },
      ggr_differs: {
        means:
          "Las sumas de un día difieren de sus transacciones. No afecta el dinero de ningún jugador, pero los reportes de ese día pueden ser erróneos.",
        act: "Compara el reporte de ese día con las transacciones y avisa a quienes operan el servicio.",
      },
      database_unsafe: {
        means:
          "La configuración de la base de datos no es segura. Un corte de luz o un cambio de su servidor primario puede perder transacciones.",
        act: "Avisa a quienes operan el servicio. El texto dice qué ajuste es y qué valor debe tener.",
      },
      wrong_keys: {
        means: "Alguien llama con claves equivocadas. Sin una clave correcta no se mueve dinero.",
        act: "Si conoces la dirección, cambia la clave de su dueño. Bloquea una dirección desconocida.",
      },
    },
  },
};
