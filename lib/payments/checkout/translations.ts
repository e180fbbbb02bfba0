import "server-only";

/** The texts of the hosted checkout in one language. Values replace the `{…}` placeholders. */
export interface Translations {
  title: string;
  pay: string;
  /** The button for a trial. */
  startTrial: string;
  /** The button for a subscription whose first charge is unknown or zero. */
  subscribe: string;
  /** The label above the amount, by the status of the payment. */
  amount: Record<"open" | "paid" | "ended", string>;
  every: Record<"day" | "week" | "month" | "year", string>;
  everyCount: Record<"day" | "week" | "month" | "year", string>;
  firstPayment: string;
  firstCharge: string;
  freeUntil: string;
  quantity: string;
  discount: string;
  unnamedDiscount: string;
  expiresIn: string;
  expiresAt: string;
  sandbox: string;
  sandboxHint: string;
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
  unavailableTitle: string;
  unavailable: string;
  checkAgain: string;
  stepTitle: string;
  step: string;
  confirmStep: string;
  rejectStep: string;
  cardDataNote: string;
  working: string;
  /** Links back to the partner's site: after a payment, and without one. */
  continueTo: string;
  returnTo: string;
  items: string;
  /** The name of the choice of languages. */
  language: string;
  /** The receipt of a payment. */
  paidTo: string;
  paidOn: string;
  reference: string;
  print: string;
}

const en: Translations = {
  title: "Pay {name}",
  pay: "Pay {amount}",
  startTrial: "Start free trial",
  subscribe: "Subscribe",
  amount: { open: "Amount due", paid: "Amount paid", ended: "Amount" },
  every: { day: "per day", week: "per week", month: "per month", year: "per year" },
  everyCount: { day: "every {count}", week: "every {count}", month: "every {count}", year: "every {count}" },
  firstPayment:
    "Your first payment, minus any discount, is charged today. Your subscription renews automatically until canceled.",
  firstCharge:
    "You pay {first} today, with the discount applied. Your subscription renews automatically until canceled.",
  freeUntil: "You won't be charged today. Your trial is free until {date}, then {amount} {every}.",
  quantity: "Quantity: {count}",
  discount: "Discount: {label}",
  unnamedDiscount: "A discount applies to your first payment.",
  expiresIn: "This link expires in",
  expiresAt: "This link expires on {date}.",
  sandbox: "Sandbox: no money moves",
  sandboxHint: "This page is in a sandbox. Choose how the test card responds.",
  chooseCard: "Test card",
  cards: {
    succeeds: "Payment succeeds",
    declined: "Card is declined",
    second_step: "Card requires authentication",
    settles_late: "Payment is processed with a delay",
  },
  loadingField: "Loading the secure payment form…",
  needsScript: "The payment form requires JavaScript. Turn on JavaScript and reload this page.",
  noField: "The payment form couldn't be loaded. You have not been charged. Reload this page to try again.",
  declinedTitle: "Your payment was declined",
  declined: "You have not been charged. Try a different card.",
  paidTitle: "Thank you for your payment",
  paid: "{name} received your payment. You can close this page.",
  collected: "Your payment method was saved. You have not been charged. You can close this page.",
  canceledTitle: "This payment request was canceled",
  canceled: "{name} canceled this request. You have not been charged.",
  expiredTitle: "This link has expired",
  expired: "You have not been charged. Ask {name} for a new link.",
  processingTitle: "Your payment is being processed",
  processing: "Please don't pay again. This page updates when processing is complete.",
  unknownTitle: "This link doesn't work",
  unknown: "Check that the link is complete, or ask the sender for a new one.",
  unavailableTitle: "The payment service isn't responding",
  unavailable: "We can't confirm yet whether you were charged. Check this page again before you pay again.",
  checkAgain: "Check again",
  stepTitle: "Confirm your payment",
  step: "Your test bank asks you to confirm the payment of {amount} to {name}.",
  confirmStep: "Confirm payment",
  rejectStep: "Reject payment",
  cardDataNote: "Your card details go directly to the payment processor. This site never receives them.",
  working: "Processing…",
  continueTo: "Continue to {name}",
  returnTo: "Return to {name} without paying",
  items: "Items",
  language: "Language",
  paidTo: "Paid to",
  paidOn: "Paid on",
  reference: "Reference",
  print: "Print receipt",
};

const es: Translations = {
  title: "Pagar a {name}",
  pay: "Pagar {amount}",
  // EU consumer law requires a button that names the obligation to pay, even after a free trial (Directive 2011/83/EU,
  // article 8; in Spain article 98.2 of Royal Legislative Decree 1/2007).
  startTrial: "Suscribirse con obligación de pago",
  subscribe: "Suscribirse con obligación de pago",
  amount: { open: "Total a pagar", paid: "Importe pagado", ended: "Importe" },
  every: { day: "al día", week: "a la semana", month: "al mes", year: "al año" },
  everyCount: { day: "cada {count}", week: "cada {count}", month: "cada {count}", year: "cada {count}" },
  firstPayment:
    "Hoy se cobra el primer pago, menos el descuento que corresponda. La suscripción se renueva automáticamente hasta que se cancele.",
  firstCharge:
    "Hoy pagará {first}, con el descuento ya aplicado. La suscripción se renueva automáticamente hasta que se cancele.",
  freeUntil: "Hoy no se le cobrará nada. La prueba es gratuita hasta el {date}; después, {amount} {every}.",
  quantity: "Cantidad: {count}",
  discount: "Descuento: {label}",
  unnamedDiscount: "Se aplica un descuento al primer pago.",
  expiresIn: "Este enlace caduca en",
  expiresAt: "Este enlace caduca el {date}.",
  sandbox: "Entorno de pruebas: no se cobra dinero real",
  sandboxHint: "Está en un entorno de pruebas. Elija cómo responde la tarjeta de prueba.",
  chooseCard: "Tarjeta de prueba",
  cards: {
    succeeds: "El pago se acepta",
    declined: "La tarjeta se rechaza",
    second_step: "La tarjeta requiere autenticación",
    settles_late: "El pago tarda en procesarse",
  },
  loadingField: "Cargando el formulario de pago seguro…",
  needsScript: "El formulario de pago necesita JavaScript. Actívelo y vuelva a cargar la página.",
  noField:
    "No se ha podido cargar el formulario de pago. No se le ha cobrado nada. Vuelva a cargar la página para intentarlo de nuevo.",
  declinedTitle: "Su pago ha sido rechazado",
  declined: "No se le ha cobrado nada. Pruebe con otra tarjeta.",
  paidTitle: "Gracias por su pago",
  paid: "{name} ha recibido su pago. Puede cerrar esta página.",
  collected: "Su método de pago se ha guardado. No se le ha cobrado nada. Puede cerrar esta página.",
  canceledTitle: "Esta solicitud de pago se ha cancelado",
  canceled: "{name} ha cancelado la solicitud. No se le ha cobrado nada.",
  expiredTitle: "Este enlace ha caducado",
  expired: "No se le ha cobrado nada. Pida un enlace nuevo a {name}.",
  processingTitle: "Su pago se está procesando",
  processing: "No vuelva a pagar. Esta página se actualizará cuando termine el proceso.",
  unknownTitle: "Este enlace no funciona",
  unknown: "Compruebe que el enlace esté completo o pida uno nuevo a quien se lo envió.",
  unavailableTitle: "El servicio de pago no responde",
  unavailable:
    "Todavía no podemos confirmar si se le ha cobrado. Vuelva a consultar esta página antes de pagar otra vez.",
  checkAgain: "Volver a comprobar",
  stepTitle: "Confirme su pago",
  step: "Su banco de prueba le pide que confirme el pago de {amount} a {name}.",
  confirmStep: "Confirmar el pago",
  rejectStep: "Rechazar el pago",
  cardDataNote:
    "Los datos de su tarjeta se envían directamente al procesador de pagos. Este sitio nunca los recibe.",
  working: "Procesando…",
  continueTo: "Continuar a {name}",
  returnTo: "Volver a {name} sin pagar",
  items: "Artículos",
  language: "Idioma",
  paidTo: "Pagado a",
  paidOn: "Fecha de pago",
  reference: "Referencia",
  print: "Imprimir recibo",
};

const fr: Translations = {
  title: "Payer {name}",
  pay: "Payer {amount}",
  // French law requires a button that names the obligation to pay, even after a free trial (Code de la consommation,
  // article L221-14).
  startTrial: "S’abonner avec obligation de paiement",
  subscribe: "S’abonner avec obligation de paiement",
  amount: { open: "Montant à payer", paid: "Montant payé", ended: "Montant" },
  every: { day: "par jour", week: "par semaine", month: "par mois", year: "par an" },
  everyCount: {
    day: "tous les {count}",
    week: "toutes les {count}",
    month: "tous les {count}",
    year: "tous les {count}",
  },
  firstPayment:
    "Le premier paiement, remise éventuelle déduite, est débité aujourd’hui. L’abonnement se renouvelle automatiquement jusqu’à sa résiliation.",
  firstCharge:
    "Vous payez {first} aujourd’hui, remise déduite. L’abonnement se renouvelle automatiquement jusqu’à sa résiliation.",
  freeUntil: "Aucun montant n’est débité aujourd’hui. Essai gratuit jusqu’au {date}, puis {amount} {every}.",
  quantity: "Quantité\u00a0: {count}",
  discount: "Remise\u00a0: {label}",
  unnamedDiscount: "Une remise s’applique à votre premier paiement.",
  expiresIn: "Ce lien expire dans",
  expiresAt: "Ce lien expire le {date}.",
  sandbox: "Environnement de test\u00a0: aucun paiement réel",
  sandboxHint: "Vous êtes dans un environnement de test. Choisissez la réponse de la carte de test.",
  chooseCard: "Carte de test",
  cards: {
    succeeds: "Le paiement est accepté",
    declined: "La carte est refusée",
    second_step: "La carte requiert une authentification",
    settles_late: "Le paiement est traité en différé",
  },
  loadingField: "Chargement du formulaire de paiement sécurisé…",
  needsScript: "Le formulaire de paiement nécessite JavaScript. Activez-le et rechargez cette page.",
  noField:
    "Le formulaire de paiement n’a pas pu être chargé. Aucun montant n’a été débité. Rechargez cette page pour réessayer.",
  declinedTitle: "Votre paiement a été refusé",
  declined: "Aucun montant n’a été débité. Essayez avec une autre carte.",
  paidTitle: "Merci pour votre paiement",
  paid: "{name} a reçu votre paiement. Vous pouvez fermer cette page.",
  collected:
    "Votre moyen de paiement a été enregistré. Aucun montant n’a été débité. Vous pouvez fermer cette page.",
  canceledTitle: "Cette demande de paiement a été annulée",
  canceled: "{name} a annulé la demande. Aucun montant n’a été débité.",
  expiredTitle: "Ce lien a expiré",
  expired: "Aucun montant n’a été débité. Demandez un nouveau lien à {name}.",
  processingTitle: "Votre paiement est en cours de traitement",
  processing: "Ne payez pas une seconde fois. Cette page sera mise à jour une fois le traitement terminé.",
  unknownTitle: "Ce lien ne fonctionne pas",
  unknown: "Vérifiez que le lien est complet ou demandez-en un nouveau à l’expéditeur.",
  unavailableTitle: "Le service de paiement ne répond pas",
  unavailable:
    "Nous ne pouvons pas encore confirmer si le montant a été débité. Consultez à nouveau cette page avant de payer une seconde fois.",
  checkAgain: "Vérifier à nouveau",
  stepTitle: "Confirmez votre paiement",
  step: "Votre banque de test vous demande de confirmer le paiement de {amount} à {name}.",
  confirmStep: "Confirmer le paiement",
  rejectStep: "Refuser le paiement",
  cardDataNote:
    "Les données de votre carte sont transmises directement au prestataire de paiement. Ce site ne les reçoit jamais.",
  working: "Traitement en cours…",
  continueTo: "Continuer vers {name}",
  returnTo: "Retourner à {name} sans payer",
  items: "Articles",
  language: "Langue",
  paidTo: "Payé à",
  paidOn: "Payé le",
  reference: "Référence",
  print: "Imprimer le reçu",
};

const de: Translations = {
  title: "Zahlung an {name}",
  pay: "{amount} bezahlen",
  // German law requires a button that names the obligation to pay, even after a free trial (section 312j BGB).
  startTrial: "Zahlungspflichtig abonnieren",
  subscribe: "Zahlungspflichtig abonnieren",
  amount: { open: "Fälliger Betrag", paid: "Bezahlter Betrag", ended: "Betrag" },
  every: { day: "pro Tag", week: "pro Woche", month: "pro Monat", year: "pro Jahr" },
  everyCount: { day: "alle {count}", week: "alle {count}", month: "alle {count}", year: "alle {count}" },
  firstPayment:
    "Die erste Zahlung wird heute abgebucht, abzüglich eines etwaigen Rabatts. Das Abo verlängert sich automatisch bis zur Kündigung.",
  firstCharge:
    "Sie zahlen heute {first}, der Rabatt ist bereits abgezogen. Das Abo verlängert sich automatisch bis zur Kündigung.",
  freeUntil:
    "Heute wird nichts abgebucht. Ihr Probeabo ist bis zum {date} kostenlos, danach zahlen Sie {amount} {every}.",
  quantity: "Menge: {count}",
  discount: "Rabatt: {label}",
  unnamedDiscount: "Auf Ihre erste Zahlung wird ein Rabatt gewährt.",
  expiresIn: "Dieser Link läuft ab in",
  expiresAt: "Dieser Link läuft am {date} ab.",
  sandbox: "Testumgebung: Es wird nichts abgebucht",
  sandboxHint: "Sie befinden sich in einer Testumgebung. Wählen Sie, wie die Testkarte reagiert.",
  chooseCard: "Testkarte",
  cards: {
    succeeds: "Zahlung ist erfolgreich",
    declined: "Karte wird abgelehnt",
    second_step: "Karte erfordert eine Authentifizierung",
    settles_late: "Zahlung wird verzögert verarbeitet",
  },
  loadingField: "Das sichere Zahlungsformular wird geladen…",
  needsScript:
    "Für das Zahlungsformular ist JavaScript erforderlich. Aktivieren Sie JavaScript und laden Sie die Seite neu.",
  noField:
    "Das Zahlungsformular konnte nicht geladen werden. Es wurde nichts abgebucht. Laden Sie die Seite neu, um es noch einmal zu versuchen.",
  declinedTitle: "Ihre Zahlung wurde abgelehnt",
  declined: "Es wurde nichts abgebucht. Versuchen Sie es mit einer anderen Karte.",
  paidTitle: "Vielen Dank für Ihre Zahlung",
  paid: "{name} hat Ihre Zahlung erhalten. Sie können diese Seite schließen.",
  collected:
    "Ihre Zahlungsmethode wurde gespeichert. Es wurde nichts abgebucht. Sie können diese Seite schließen.",
  canceledTitle: "Diese Zahlungsanforderung wurde zurückgezogen",
  canceled: "{name} hat die Zahlungsanforderung zurückgezogen. Es wurde nichts abgebucht.",
  expiredTitle: "Dieser Link ist abgelaufen",
  expired: "Es wurde nichts abgebucht. Bitten Sie {name} um einen neuen Link.",
  processingTitle: "Ihre Zahlung wird verarbeitet",
  processing:
    "Bitte zahlen Sie nicht noch einmal. Diese Seite wird aktualisiert, sobald die Verarbeitung abgeschlossen ist.",
  unknownTitle: "Dieser Link funktioniert nicht",
  unknown: "Prüfen Sie, ob der Link vollständig ist, oder bitten Sie den Absender um einen neuen.",
  unavailableTitle: "Der Zahlungsdienst antwortet nicht",
  unavailable:
    "Wir können noch nicht sagen, ob der Betrag abgebucht wurde. Rufen Sie diese Seite noch einmal auf, bevor Sie erneut zahlen.",
  checkAgain: "Erneut prüfen",
  stepTitle: "Zahlung bestätigen",
  step: "Ihre Testbank bittet Sie, die Zahlung von {amount} an {name} zu bestätigen.",
  confirmStep: "Zahlung bestätigen",
  rejectStep: "Zahlung ablehnen",
  cardDataNote:
    "Ihre Kartendaten werden direkt an den Zahlungsdienstleister übermittelt. Diese Website erhält sie nie.",
  working: "Wird verarbeitet…",
  continueTo: "Weiter zu {name}",
  returnTo: "Ohne Zahlung zurück zu {name}",
  items: "Artikel",
  language: "Sprache",
  paidTo: "Bezahlt an",
  paidOn: "Bezahlt am",
  reference: "Referenz",
  print: "Beleg drucken",
};

const LANGUAGES = { en, es, fr, de };
export type Language = keyof typeof LANGUAGES;

/** Returns the texts of the checkout in a language. */
export function translationsFor(language: Language): Translations {
  return LANGUAGES[language];
}

/**
 * Returns the preferred language if the checkout supports it, else the supported language that `Accept-Language` ranks
 * highest, else English.
 */
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

/** Replaces the `{…}` placeholders of a text. A placeholder without a value is left in place. */
export function fill(sentence: string, values: Readonly<Record<string, string>>): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

/** Returns the supported language with this code, or null. */
export function supportedLanguage(code: string): Language | null {
  return isLanguage(code) ? code : null;
}

function isLanguage(tag: string): tag is Language {
  return Object.hasOwn(LANGUAGES, tag);
}
