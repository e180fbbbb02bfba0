import "server-only";

/** What the hosted checkout says, in one language. `{…}` is filled in. */
export interface Words {
  title: string;
  pay: string;
  /** The button of a trial. */
  startTrial: string;
  /** The button of a subscription while nobody knows what its first payment takes, and when that is nothing. */
  subscribe: string;
  /** Over the amount: to be paid, paid, or not paid. */
  amount: Record<"open" | "paid" | "ended", string>;
  every: Record<"day" | "week" | "month" | "year", string>;
  everyCount: Record<"day" | "week" | "month" | "year", string>;
  firstPayment: string;
  firstTaken: string;
  freeUntil: string;
  quantity: string;
  discount: string;
  someDiscount: string;
  expiresIn: string;
  expiresAt: string;
  noMoney: string;
  noMoneyWhy: string;
  chooseCard: string;
  cards: Record<"succeeds" | "declined" | "second_step" | "settles_late", string>;
  loadingField: string;
  needsScript: string;
  noField: string;
  declinedTitle: string;
  declined: string;
  paidTitle: string;
  paid: string;
  collected: string;
  canceledTitle: string;
  canceled: string;
  expiredTitle: string;
  expired: string;
  processingTitle: string;
  processing: string;
  unknownTitle: string;
  unknown: string;
  troubleTitle: string;
  trouble: string;
  tryAgain: string;
  stepTitle: string;
  step: string;
  agree: string;
  refuse: string;
  secured: string;
  working: string;
  /** Links back to the partner: after a payment, and without one. */
  continueTo: string;
  returnTo: string;
  items: string;
}

const en: Words = {
  title: "Pay {name}",
  pay: "Pay {amount}",
  startTrial: "Start free trial",
  subscribe: "Subscribe",
  amount: { open: "To pay", paid: "Paid", ended: "Amount" },
  every: { day: "every day", week: "every week", month: "every month", year: "every year" },
  everyCount: { day: "every {count}", week: "every {count}", month: "every {count}", year: "every {count}" },
  firstPayment:
    "The first payment is taken now, less any discount. It renews automatically until it is canceled.",
  firstTaken: "{first} is taken now, after the discount. It renews automatically until it is canceled.",
  freeUntil: "Nothing is taken today. Free until {date}, then {amount} {every}.",
  quantity: "Quantity: {count}",
  discount: "Discount: {label}",
  someDiscount: "A discount is taken off the first payment.",
  expiresIn: "This link expires in",
  expiresAt: "This link expires on {date}.",
  noMoney: "Test mode: no money moves",
  noMoneyWhy: "This is a sandbox. Choose what the test card should do.",
  chooseCard: "Test card",
  cards: {
    succeeds: "A card that is accepted",
    declined: "A card that is declined",
    second_step: "A card that asks for a second step",
    settles_late: "A card whose payment takes a moment",
  },
  loadingField: "Loading the secure payment form…",
  needsScript: "The payment form needs JavaScript. Switch it on and load this page again.",
  noField: "The payment form could not be loaded. You have not been charged: load this page again.",
  declinedTitle: "The payment was declined",
  declined: "You have not been charged. Try again with another card.",
  paidTitle: "Paid. Thank you!",
  paid: "Your payment to {name} was received. You can close this page.",
  collected: "Your payment method was saved and nothing was taken. You can close this page.",
  canceledTitle: "This payment was canceled",
  canceled: "{name} canceled the request. You have not been charged.",
  expiredTitle: "This link has expired",
  expired: "You have not been charged. Ask {name} for a new link.",
  processingTitle: "Your payment is being processed",
  processing: "Please do not pay again. This page changes as soon as it is done.",
  unknownTitle: "This link does not work",
  unknown: "Check that you have the whole address, or ask whoever sent it for a new one.",
  troubleTitle: "The payment service does not answer",
  trouble: "We do not know yet whether you were charged. Check this page again before you pay again.",
  tryAgain: "Check again",
  stepTitle: "Confirm the payment",
  step: "Your test bank asks whether it is you who pays {amount} to {name}.",
  agree: "Yes, it is me",
  refuse: "No, stop the payment",
  secured: "Card details go straight to the card processor and never to this site.",
  working: "One moment…",
  continueTo: "Continue to {name}",
  returnTo: "Return to {name} without paying",
  items: "Items",
};

const es: Words = {
  title: "Pagar a {name}",
  pay: "Pagar {amount}",
  startTrial: "Empezar la prueba gratuita",
  subscribe: "Suscribirse",
  amount: { open: "A pagar", paid: "Pagado", ended: "Importe" },
  every: { day: "al día", week: "a la semana", month: "al mes", year: "al año" },
  everyCount: { day: "cada {count}", week: "cada {count}", month: "cada {count}", year: "cada {count}" },
  firstPayment:
    "El primer pago se cobra ahora, menos el descuento si lo hay. Se renueva automáticamente hasta que se cancele.",
  firstTaken:
    "El primer pago, con el descuento aplicado, es de {first} y se cobra ahora. Se renueva automáticamente hasta que se cancele.",
  freeUntil: "Hoy no se cobra nada. Gratis hasta el {date}; después, {amount} {every}.",
  quantity: "Cantidad: {count}",
  discount: "Descuento: {label}",
  someDiscount: "Al primer pago se le aplica un descuento.",
  expiresIn: "Este enlace caduca en",
  expiresAt: "Este enlace caduca el {date}.",
  noMoney: "Modo de prueba: no se cobra dinero real",
  noMoneyWhy: "Esto es un entorno de pruebas. Elija qué debe hacer la tarjeta.",
  chooseCard: "Tarjeta de prueba",
  cards: {
    succeeds: "Una tarjeta que se acepta",
    declined: "Una tarjeta que se rechaza",
    second_step: "Una tarjeta que pide un segundo paso",
    settles_late: "Una tarjeta cuyo pago tarda un momento",
  },
  loadingField: "Cargando el formulario de pago seguro…",
  needsScript: "El formulario de pago necesita JavaScript. Actívelo y vuelva a cargar la página.",
  noField: "No se pudo cargar el formulario de pago. No se le ha cobrado nada: vuelva a cargar la página.",
  declinedTitle: "El pago fue rechazado",
  declined: "No se le ha cobrado nada. Inténtelo con otra tarjeta.",
  paidTitle: "Pagado. ¡Gracias!",
  paid: "{name} ha recibido su pago. Puede cerrar esta página.",
  collected: "Se guardó su medio de pago y no se cobró nada. Puede cerrar esta página.",
  canceledTitle: "Este pago fue cancelado",
  canceled: "{name} canceló la solicitud. No se le ha cobrado nada.",
  expiredTitle: "Este enlace ha caducado",
  expired: "No se le ha cobrado nada. Pida a {name} un enlace nuevo.",
  processingTitle: "Su pago se está procesando",
  processing: "No pague otra vez, por favor. Esta página cambiará en cuanto termine.",
  unknownTitle: "Este enlace no funciona",
  unknown: "Compruebe que tiene la dirección completa o pida una nueva a quien se la envió.",
  troubleTitle: "El servicio de pago no responde",
  trouble: "Aún no sabemos si se le ha cobrado. Vuelva a consultar esta página antes de pagar otra vez.",
  tryAgain: "Comprobar de nuevo",
  stepTitle: "Confirme el pago",
  step: "Su banco de prueba pregunta si es usted quien paga {amount} a {name}.",
  agree: "Sí, soy yo",
  refuse: "No, detener el pago",
  secured: "Los datos de la tarjeta van directamente al procesador y nunca a este sitio.",
  working: "Un momento…",
  continueTo: "Continuar a {name}",
  returnTo: "Volver a {name} sin pagar",
  items: "Artículos",
};

const fr: Words = {
  title: "Payer {name}",
  pay: "Payer {amount}",
  startTrial: "Commencer l’essai gratuit",
  subscribe: "S’abonner",
  amount: { open: "À payer", paid: "Payé", ended: "Montant" },
  every: { day: "par jour", week: "par semaine", month: "par mois", year: "par an" },
  everyCount: {
    day: "tous les {count}",
    week: "toutes les {count}",
    month: "tous les {count}",
    year: "tous les {count}",
  },
  firstPayment:
    "Le premier paiement est prélevé maintenant, remise éventuelle déduite. L’abonnement se renouvelle automatiquement jusqu’à son annulation.",
  firstTaken:
    "Le premier paiement, remise déduite, est de {first} et il est prélevé maintenant. L’abonnement se renouvelle automatiquement jusqu’à son annulation.",
  freeUntil: "Rien n’est prélevé aujourd’hui. Gratuit jusqu’au {date}, puis {amount} {every}.",
  quantity: "Quantité : {count}",
  discount: "Remise : {label}",
  someDiscount: "Une remise est déduite du premier paiement.",
  expiresIn: "Ce lien expire dans",
  expiresAt: "Ce lien expire le {date}.",
  noMoney: "Mode test : aucun paiement réel",
  noMoneyWhy: "Ceci est un environnement de test. Choisissez ce que doit faire la carte de test.",
  chooseCard: "Carte de test",
  cards: {
    succeeds: "Une carte acceptée",
    declined: "Une carte refusée",
    second_step: "Une carte qui demande une seconde étape",
    settles_late: "Une carte dont le paiement prend un moment",
  },
  loadingField: "Chargement du formulaire de paiement sécurisé…",
  needsScript: "Le formulaire de paiement a besoin de JavaScript. Activez-le et rechargez cette page.",
  noField: "Le formulaire de paiement n’a pas pu être chargé. Rien n’a été prélevé : rechargez cette page.",
  declinedTitle: "Le paiement a été refusé",
  declined: "Rien n’a été prélevé. Réessayez avec une autre carte.",
  paidTitle: "Payé. Merci !",
  paid: "{name} a reçu votre paiement. Vous pouvez fermer cette page.",
  collected: "Votre moyen de paiement est enregistré et rien n’a été prélevé. Vous pouvez fermer cette page.",
  canceledTitle: "Ce paiement a été annulé",
  canceled: "{name} a annulé la demande. Rien n’a été prélevé.",
  expiredTitle: "Ce lien a expiré",
  expired: "Rien n’a été prélevé. Demandez un nouveau lien à {name}.",
  processingTitle: "Votre paiement est en cours",
  processing: "Ne payez pas une seconde fois. Cette page change dès que c’est terminé.",
  unknownTitle: "Ce lien ne fonctionne pas",
  unknown: "Vérifiez que l’adresse est complète ou demandez-en une nouvelle à l’expéditeur.",
  troubleTitle: "Le service de paiement ne répond pas",
  trouble:
    "Nous ne savons pas encore si vous avez été débité. Revenez sur cette page avant de payer à nouveau.",
  tryAgain: "Vérifier à nouveau",
  stepTitle: "Confirmez le paiement",
  step: "Votre banque de test demande si c’est bien vous qui payez {amount} à {name}.",
  agree: "Oui, c’est moi",
  refuse: "Non, arrêter le paiement",
  secured: "Les données de carte vont directement au prestataire de paiement, jamais à ce site.",
  working: "Un instant…",
  continueTo: "Continuer vers {name}",
  returnTo: "Revenir à {name} sans payer",
  items: "Articles",
};

const de: Words = {
  title: "Zahlung an {name}",
  pay: "{amount} bezahlen",
  startTrial: "Kostenlos testen",
  subscribe: "Abonnieren",
  amount: { open: "Zu zahlen", paid: "Bezahlt", ended: "Betrag" },
  every: { day: "pro Tag", week: "pro Woche", month: "pro Monat", year: "pro Jahr" },
  everyCount: { day: "alle {count}", week: "alle {count}", month: "alle {count}", year: "alle {count}" },
  firstPayment:
    "Die erste Zahlung wird jetzt eingezogen, abzüglich eines etwaigen Rabatts. Das Abo verlängert sich automatisch bis zur Kündigung.",
  firstTaken:
    "Die erste Zahlung beträgt nach Abzug des Rabatts {first} und wird jetzt eingezogen. Das Abo verlängert sich automatisch bis zur Kündigung.",
  freeUntil: "Heute wird nichts eingezogen. Kostenlos bis {date}, danach {amount} {every}.",
  quantity: "Menge: {count}",
  discount: "Rabatt: {label}",
  someDiscount: "Von der ersten Zahlung wird ein Rabatt abgezogen.",
  expiresIn: "Dieser Link läuft ab in",
  expiresAt: "Dieser Link läuft am {date} ab.",
  noMoney: "Testmodus: Es fließt kein Geld",
  noMoneyWhy: "Dies ist eine Testumgebung. Wählen Sie, was die Testkarte tun soll.",
  chooseCard: "Testkarte",
  cards: {
    succeeds: "Eine Karte, die angenommen wird",
    declined: "Eine Karte, die abgelehnt wird",
    second_step: "Eine Karte mit zweitem Schritt",
    settles_late: "Eine Karte, deren Zahlung etwas dauert",
  },
  loadingField: "Das sichere Zahlungsformular wird geladen…",
  needsScript: "Das Zahlungsformular braucht JavaScript. Schalten Sie es ein und laden Sie die Seite neu.",
  noField:
    "Das Zahlungsformular konnte nicht geladen werden. Es wurde nichts abgebucht: Laden Sie die Seite neu.",
  declinedTitle: "Die Zahlung wurde abgelehnt",
  declined: "Es wurde nichts abgebucht. Versuchen Sie es mit einer anderen Karte.",
  paidTitle: "Bezahlt. Vielen Dank!",
  paid: "{name} hat Ihre Zahlung erhalten. Sie können diese Seite schließen.",
  collected: "Ihr Zahlungsmittel ist gespeichert, abgebucht wurde nichts. Sie können diese Seite schließen.",
  canceledTitle: "Diese Zahlung wurde abgebrochen",
  canceled: "{name} hat die Anfrage zurückgezogen. Es wurde nichts abgebucht.",
  expiredTitle: "Dieser Link ist abgelaufen",
  expired: "Es wurde nichts abgebucht. Bitten Sie {name} um einen neuen Link.",
  processingTitle: "Ihre Zahlung wird verarbeitet",
  processing: "Bitte zahlen Sie nicht noch einmal. Diese Seite ändert sich, sobald es so weit ist.",
  unknownTitle: "Dieser Link funktioniert nicht",
  unknown: "Prüfen Sie, ob die Adresse vollständig ist, oder bitten Sie den Absender um eine neue.",
  troubleTitle: "Der Zahlungsdienst antwortet nicht",
  trouble: "Ob abgebucht wurde, ist noch unklar. Sehen Sie hier wieder nach, bevor Sie noch einmal zahlen.",
  tryAgain: "Erneut prüfen",
  stepTitle: "Zahlung bestätigen",
  step: "Ihre Testbank fragt, ob Sie selbst {amount} an {name} zahlen.",
  agree: "Ja, das bin ich",
  refuse: "Nein, Zahlung abbrechen",
  secured: "Kartendaten gehen direkt an den Zahlungsdienstleister, nie an diese Seite.",
  working: "Einen Moment…",
  continueTo: "Weiter zu {name}",
  returnTo: "Ohne Zahlung zurück zu {name}",
  items: "Artikel",
};

const LANGUAGES = { en, es, fr, de };
export type Language = keyof typeof LANGUAGES;

export function wordsOf(language: Language): Words {
  return LANGUAGES[language];
}

/** The language that was asked for, else the one a browser likes best among ours; English when it likes none of them. */
export function chooseLanguage(acceptLanguage: string | null, preferred: string | null = null): Language {
  const asked = preferred?.split(/[-_]/, 1)[0]?.toLowerCase() ?? "";
  if (isLanguage(asked)) return asked;
  const liked = (acceptLanguage ?? "").split(",").map((entry, index) => {
    const [tag = "", ...parameters] = entry.trim().split(";");
    const q = parameters.find((parameter) => parameter.trim().startsWith("q="));
    const weight = q === undefined ? 1 : Number(q.trim().slice(2));
    return { language: tag.split("-", 1)[0]?.toLowerCase() ?? "", weight, index };
  });
  const known = liked.filter(({ language, weight }) => isLanguage(language) && weight > 0);
  const [best] = known.sort((left, right) => right.weight - left.weight || left.index - right.index);
  return best !== undefined && isLanguage(best.language) ? best.language : "en";
}

/** Puts values into the `{…}` of a sentence. */
export function fill(sentence: string, values: Readonly<Record<string, string>>): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

function isLanguage(tag: string): tag is Language {
  return Object.hasOwn(LANGUAGES, tag);
}
