import type { Words } from "./en.ts";

export const es: Words = {
  home: {
    title: "El proveedor de juegos",
    languages: "Idioma",
    lead: "Dos proveedores de este sandbox viven aquí: AURORA tiene slots, PALCO tiene mesas en vivo. Los juegos son suyos. El dinero de los jugadores queda en la billetera de los operadores, por eso cada apuesta y cada premio pasa por el servicio.",
    play: "Jugar en el sitio del operador",
    loading: "Leyendo los juegos",
    failed: "El proveedor no responde",
    failedText: "¿El sandbox sigue en marcha?",
    retry: "Intentar de nuevo",
    games: "Los juegos",
    gamesIntro: "Se abren en el sitio del operador, para un jugador que ingresó a su cuenta.",
    noGames: "Todavía no hay juegos",
    noGamesText: "Este proveedor no tiene juegos para mostrar.",
    slot: "Tragamonedas",
    live: "Mesa en vivo",
    rtp: (percent) => `devuelve ${percent}\u00a0%`,
    launch: "Cómo se abre un juego",
    launchIntro: "Un juego no tiene dirección propia. Cada apertura crea una nueva.",
    steps: {
      choose: {
        title: "El jugador elige un juego",
        text: "El sitio del operador pide a su propio servidor que lo abra. Ninguna clave secreta está en el navegador.",
      },
      launch: {
        title: "El servidor del operador pide la apertura",
        text: "Envía una llamada firmada, con el jugador y el juego.",
      },
      open: {
        title: "El servicio abre el juego aquí",
        text: "Llama a este proveedor por gRPC con el id de la sesión, el juego, la moneda y el idioma.",
      },
      show: {
        title: "El sitio muestra el juego en un marco",
        text: "Este proveedor responde con una launch_url, y la página del operador la muestra en un iframe.",
      },
      bet: {
        title: "La apuesta viene antes de la ronda",
        text: "El juego envía la apuesta. Los rodillos giran solo después de que la billetera la aceptó.",
      },
      win: {
        title: "El premio se entrega",
        text: "El juego envía el premio y lo repite hasta que el servicio lo tiene. El servicio lo envía a la billetera.",
      },
    },
    backstageIntro:
      "Cada juego tiene un botón Entre bastidores. Abre un panel con las llamadas del juego al servicio y con botones que cometen los errores de proveedores reales. El panel junto al juego muestra lo que llega a la billetera. Sus botones vuelven la billetera lenta, muda o defectuosa.",
  },
  backstage: {
    title: "Entre bastidores",
    misbehave: "Comete un error",
    intro: "Comete un error y mira qué hace el servicio con él.",
    demo: "Una demostración nunca llama a la billetera: no hay error que cometer.",
    asking: "Preguntando al servicio…",
    calls: "Llamadas al agregador",
    callList: "Llamadas al agregador, las más nuevas primero",
    translated:
      "Este juego habla la API propia de su proveedor. Un conector la responde y llama al servicio. Cada llamada se muestra en tres pasos.",
    inThreeSteps: "En tres pasos",
    steps: {
      upstream: "1. El proveedor llama al conector",
      connector: "2. El conector llama al servicio",
      wallet: "3. El servicio llama a la billetera",
    },
    noStep: {
      upstream: "No se envió nada.",
      connector: "El conector no llamó a nadie.",
      wallet: "No se llamó a la billetera.",
    },
    sent: "solicitud",
    answered: "respuesta",
    noAnswerYet: "ninguna todavía",
    replyLost: "respuesta perdida",
    of: (id) => `de ${id}`,
    buttons: {
      repeat: {
        title: "Repetir el último pedido",
        text: "Envía el último pedido de nuevo, con el mismo id. El servicio responde con lo que guardó.",
      },
      lose_reply: {
        title: "Perder una respuesta",
        text: "Corta en la próxima apuesta antes de la respuesta y la envía de nuevo. La billetera ve una sola apuesta.",
      },
      refund: {
        title: "Reembolsar la última apuesta",
        text: "Devuelve la última apuesta. Un segundo reembolso de ella recibe el resultado del primero.",
      },
      refund_unknown: {
        title: "Reembolsar una apuesta desconocida",
        text: "Reembolsa una apuesta que nunca se envió. El servicio pregunta igual a la billetera, y la billetera no conoce la apuesta: el reembolso falla, y nada se mueve.",
      },
      bet_after_refund: {
        title: "Apuesta después del reembolso",
        text: "Envía la apuesta del último reembolso. La respuesta es TRANSACTION_REVERSED, y no se llama a la billetera.",
      },
      rollback: { title: "Revertir el último premio", text: "Le quita al jugador el último premio." },
      win_first: {
        title: "Premio antes de la apuesta",
        text: "Envía un premio y después la apuesta de la misma ronda. Los dos se aceptan, porque el orden no cuenta.",
      },
      mismatch: {
        title: "Mismo id, otro monto",
        text: "Envía el último pedido con otro monto. La respuesta es TRANSACTION_MISMATCH, y no se llama a la billetera.",
      },
      jackpot: {
        title: "Sortear el pozo acumulado",
        text: "El próximo giro gana el pozo acumulado: un premio aparte, del tipo jackpot.",
      },
      leave_open: {
        title: "Dejar una ronda abierta",
        text: "No termina la próxima ronda. La página de rondas de la consola la muestra como abierta.",
      },
      end_round: {
        title: "Terminar la ronda abierta",
        text: "Llama a EndRound para la ronda que quedó abierta. La consola la muestra entonces como terminada.",
      },
    },
    messages: {
      answer: (word, ms) => `${word} en ${ms} ms`,
      nothingToRepeat: "Todavía no hay nada que repetir: juega una ronda primero.",
      repeat: (answer) =>
        `Mismo pedido, mismo id. El servicio respondió ${answer} con lo que guardó: no se llama otra vez a la billetera por lo que es final.`,
      mismatch: (answer) => `Mismo id, el doble del monto. El servicio respondió ${answer} sin llamar a la billetera.`,
      armed:
        "Listo. En la próxima apuesta cortamos antes de la respuesta y enviamos el mismo pedido de nuevo. Mira la billetera: una sola apuesta.",
      noBet: "Todavía no hay apuesta que reembolsar.",
      refund: (answer) =>
        `Reembolso de la última apuesta, con un id propio: ${answer}. Un segundo reembolso de la misma apuesta recibe el resultado de este.`,
      refundUnknown: (answer) => `Reembolso de una apuesta que nunca se envió: ${answer}.`,
      refundUnknownFailed:
        "El servicio preguntó igual a la billetera, y ella tampoco conoce la apuesta: no se movió nada. La apuesta ya no puede llegar.",
      refundUnknownPending: "La billetera todavía no respondió, por eso el servicio envía el reembolso de nuevo.",
      refundUnknownSuccess: "La billetera había aceptado la apuesta y la devolvió.",
      noRefund: "Todavía no hay reembolso: reembolsa una apuesta primero.",
      lateBet: (answer) => `La apuesta del último reembolso, enviada después de él: ${answer}.`,
      lateBetReversed: "El servicio no llamó a la billetera: una apuesta nunca se acepta después de su reembolso.",
      lateBetPending: "El reembolso no terminó, por eso el servicio no envía la apuesta a la billetera.",
      lateBetFailed: "La apuesta había fallado antes del reembolso y mantiene esa respuesta.",
      noWin: "Todavía no hay premio que revertir.",
      rollback: (answer) => `Reversión del último premio: ${answer}.`,
      winFirst: (win, bet) =>
        `El premio llegó antes de la apuesta. Premio: ${win}, apuesta: ${bet}. No cuentes con el orden, solo con los ids.`,
      jackpotArmed: "Listo. El pozo acumulado sale en el próximo giro.",
      leaveOpenArmed: "Listo. La próxima ronda queda abierta. Mira la página de rondas de la consola.",
      noOpenRound: "Ninguna ronda quedó abierta.",
      endRound: (round, answer) =>
        `Fin de la ronda ${round}: ${answer}. Ya no acepta apuestas. Los premios se siguen pagando.`,
    },
  },
};
