import "server-only";
import type { Language } from "@/lib/payments/checkout/translations";

/** What a page says of a payment that needs no approval. */
export interface WalletEnd {
  title: string;
  text: string;
}

/** The texts of the wallet pages in one language. Values replace the `{…}` placeholders. */
export interface WalletTranslations {
  sandbox: string;
  to: string;
  askedBy: string;
  paidBy: string;
  purpose: string;
  invalidTitle: string;
  invalid: string;
  addTitle: string;
  protectTitle: string;
  chooseCard: string;
  /** The sandbox's test cards, by name. */
  cards: Readonly<Record<string, string>>;
  addCard: string;
  passkeyWhy: string;
  createPasskey: string;
  codeWhy: string;
  sendCode: string;
  codeSent: string;
  code: string;
  sendAnotherCode: string;
  wrongCode: string;
  tooManyCodes: string;
  notSent: string;
  approveTitle: string;
  approve: string;
  notAsked: string;
  ends: Record<"idle" | "ready" | "authorized" | "succeeded" | "declined" | "canceled" | "other", WalletEnd>;
  needsScript: string;
  provider: { title: string; asks: string; authorize: string; cancel: string };
  expiredTitle: string;
  expired: string;
  waiting: string;
  notConfirmed: string;
  failed: string;
}

const en: WalletTranslations = {
  sandbox: "Sandbox: no money moves",
  to: "To",
  askedBy: "Requested by",
  paidBy: "Paid by",
  purpose: "For",
  invalidTitle: "This link isn't valid",
  invalid: "Ask for a new link in your conversation.",
  addTitle: "Add a card",
  protectTitle: "Protect your wallet",
  chooseCard: "Choose a test card. Never enter a real card number here.",
  cards: { pays: "Test card: payment succeeds", declines: "Test card: card is declined" },
  addCard: "Add card",
  passkeyWhy:
    "You approve payments with a passkey: your face, your fingerprint or your device's screen lock. Only you can use it.",
  createPasskey: "Create a passkey",
  codeWhy: "To confirm it's you, we'll send a code to {handle}.",
  sendCode: "Send code",
  codeSent: "We sent a code to {handle}. Enter it here. Don't share it with anyone.",
  code: "Code",
  sendAnotherCode: "Send another code",
  wrongCode: "That code is wrong or has expired. Check the code or send another one.",
  tooManyCodes: "Too many codes were sent. Try again in an hour.",
  notSent: "The code couldn't be sent. Try again later or ask for a new link.",
  approveTitle: "Approve this payment",
  approve: "Approve with passkey",
  notAsked: "If you didn't request this payment, close this page. Nothing is charged without your approval.",
  ends: {
    idle: {
      title: "Nothing to do now",
      text: "The payment waits for the assistant. You get a new link if it needs you.",
    },
    ready: { title: "Payment approved", text: "You can close this page." },
    authorized: {
      title: "Payment in progress",
      text: "The merchant is charging the card. You can close this page.",
    },
    succeeded: { title: "Payment complete", text: "You can close this page." },
    declined: { title: "Card declined", text: "The card was declined, and nothing was charged." },
    canceled: { title: "Payment canceled", text: "Nothing was charged." },
    other: {
      title: "Payment no longer open",
      text: "It is no longer waiting for your approval. Nothing was charged.",
    },
  },
  needsScript: "This page requires JavaScript to use your device's passkeys.",
  provider: {
    title: "Connect the test card provider",
    asks: "{account} requests permission to create test cards with {provider}.",
    authorize: "Authorize",
    cancel: "Cancel",
  },
  expiredTitle: "This page has expired",
  expired: "Go back to the previous page and start again.",
  waiting: "Waiting for your device…",
  notConfirmed: "Your device did not confirm the passkey. Try again.",
  failed: "Something went wrong. Nothing was charged. Reload this page or ask for a new link.",
};

const es: WalletTranslations = {
  sandbox: "Entorno de pruebas: no se cobra dinero real",
  to: "Para",
  askedBy: "Solicitado por",
  paidBy: "Pagado por",
  purpose: "Concepto",
  invalidTitle: "Este enlace no es válido",
  invalid: "Pida un enlace nuevo en su conversación.",
  addTitle: "Añadir una tarjeta",
  protectTitle: "Proteja su cartera",
  chooseCard: "Elija una tarjeta de prueba. No introduzca nunca aquí un número de tarjeta real.",
  cards: {
    pays: "Tarjeta de prueba: el pago se acepta",
    declines: "Tarjeta de prueba: la tarjeta se rechaza",
  },
  addCard: "Añadir tarjeta",
  passkeyWhy:
    "Los pagos se aprueban con una llave de acceso: su cara, su huella dactilar o el bloqueo de pantalla de su dispositivo. Solo usted puede utilizarla.",
  createPasskey: "Crear una llave de acceso",
  codeWhy: "Para verificar su identidad, enviaremos un código a {handle}.",
  sendCode: "Enviar código",
  codeSent: "Hemos enviado un código a {handle}. Introdúzcalo aquí y no lo comparta con nadie.",
  code: "Código",
  sendAnotherCode: "Enviar otro código",
  wrongCode: "El código no es correcto o ha caducado. Compruébelo o solicite otro.",
  tooManyCodes: "Se han enviado demasiados códigos. Vuelva a intentarlo dentro de una hora.",
  notSent: "No se ha podido enviar el código. Vuelva a intentarlo más tarde o pida un enlace nuevo.",
  approveTitle: "Apruebe este pago",
  approve: "Aprobar con la llave de acceso",
  notAsked: "Si no ha solicitado este pago, cierre esta página. No se cobrará nada sin su aprobación.",
  ends: {
    idle: {
      title: "Nada que hacer por ahora",
      text: "El pago está a la espera del asistente. Recibirá un enlace nuevo si hace falta.",
    },
    ready: { title: "Pago aprobado", text: "Puede cerrar esta página." },
    authorized: {
      title: "Pago en curso",
      text: "El comercio está cobrando la tarjeta. Puede cerrar esta página.",
    },
    succeeded: { title: "Pago completado", text: "Puede cerrar esta página." },
    declined: { title: "Tarjeta rechazada", text: "La tarjeta se ha rechazado y no se ha cobrado nada." },
    canceled: { title: "Pago cancelado", text: "No se ha cobrado nada." },
    other: { title: "Pago cerrado", text: "Ya no está pendiente de su aprobación. No se ha cobrado nada." },
  },
  needsScript: "Esta página necesita JavaScript para usar las llaves de acceso de su dispositivo.",
  provider: {
    title: "Conectar el proveedor de tarjetas de prueba",
    asks: "{account} solicita permiso para crear tarjetas de prueba con {provider}.",
    authorize: "Autorizar",
    cancel: "Cancelar",
  },
  expiredTitle: "Esta página ha caducado",
  expired: "Vuelva a la página anterior y empiece de nuevo.",
  waiting: "Esperando a su dispositivo…",
  notConfirmed: "Su dispositivo no ha confirmado la llave de acceso. Vuelva a intentarlo.",
  failed:
    "Se ha producido un error. No se ha cobrado nada. Vuelva a cargar esta página o pida un enlace nuevo.",
};

const fr: WalletTranslations = {
  sandbox: "Environnement de test\u00a0: aucun paiement réel",
  to: "Bénéficiaire",
  askedBy: "Demandé par",
  paidBy: "Payé par",
  purpose: "Motif",
  invalidTitle: "Ce lien n’est pas valide",
  invalid: "Demandez un nouveau lien dans votre conversation.",
  addTitle: "Ajouter une carte",
  protectTitle: "Protégez votre portefeuille",
  chooseCard: "Choisissez une carte de test. Ne saisissez jamais ici un vrai numéro de carte.",
  cards: {
    pays: "Carte de test\u00a0: le paiement est accepté",
    declines: "Carte de test\u00a0: la carte est refusée",
  },
  addCard: "Ajouter la carte",
  passkeyWhy:
    "Vous approuvez vos paiements avec une clé d’accès\u00a0: votre visage, votre empreinte digitale ou le verrouillage de votre appareil. Personne d’autre ne peut l’utiliser.",
  createPasskey: "Créer une clé d’accès",
  codeWhy: "Pour vérifier votre identité, nous allons envoyer un code à {handle}.",
  sendCode: "Envoyer le code",
  codeSent: "Nous avons envoyé un code à {handle}. Saisissez-le ici et ne le communiquez à personne.",
  code: "Code",
  sendAnotherCode: "Envoyer un autre code",
  wrongCode: "Ce code est incorrect ou a expiré. Vérifiez-le ou demandez-en un autre.",
  tooManyCodes: "Trop de codes ont été envoyés. Réessayez dans une heure.",
  notSent: "Le code n’a pas pu être envoyé. Réessayez plus tard ou demandez un nouveau lien.",
  approveTitle: "Approuvez ce paiement",
  approve: "Approuver avec la clé d’accès",
  notAsked:
    "Si vous n’avez pas demandé ce paiement, fermez cette page. Aucun montant n’est débité sans votre approbation.",
  ends: {
    idle: {
      title: "Rien à faire pour l’instant",
      text: "Le paiement attend l’assistant. Vous recevrez un nouveau lien si nécessaire.",
    },
    ready: { title: "Paiement approuvé", text: "Vous pouvez fermer cette page." },
    authorized: {
      title: "Paiement en cours",
      text: "Le commerçant débite la carte. Vous pouvez fermer cette page.",
    },
    succeeded: { title: "Paiement terminé", text: "Vous pouvez fermer cette page." },
    declined: { title: "Carte refusée", text: "La carte a été refusée et aucun montant n’a été débité." },
    canceled: { title: "Paiement annulé", text: "Aucun montant n’a été débité." },
    other: {
      title: "Paiement clos",
      text: "Il n’attend plus votre approbation. Aucun montant n’a été débité.",
    },
  },
  needsScript: "Cette page nécessite JavaScript pour utiliser les clés d’accès de votre appareil.",
  provider: {
    title: "Connecter le fournisseur de cartes de test",
    asks: "{account} demande l’autorisation de créer des cartes de test avec {provider}.",
    authorize: "Autoriser",
    cancel: "Annuler",
  },
  expiredTitle: "Cette page a expiré",
  expired: "Revenez à la page précédente et recommencez.",
  waiting: "En attente de votre appareil…",
  notConfirmed: "Votre appareil n’a pas confirmé la clé d’accès. Réessayez.",
  failed:
    "Une erreur s’est produite. Aucun montant n’a été débité. Rechargez cette page ou demandez un nouveau lien.",
};

const de: WalletTranslations = {
  sandbox: "Testumgebung: Es wird nichts abgebucht",
  to: "Empfänger",
  askedBy: "Angefordert von",
  paidBy: "Bezahlt von",
  purpose: "Verwendungszweck",
  invalidTitle: "Dieser Link ist ungültig",
  invalid: "Bitten Sie in Ihrer Unterhaltung um einen neuen Link.",
  addTitle: "Karte hinzufügen",
  protectTitle: "Schützen Sie Ihre Wallet",
  chooseCard: "Wählen Sie eine Testkarte. Geben Sie hier nie eine echte Kartennummer ein.",
  cards: { pays: "Testkarte: Zahlung ist erfolgreich", declines: "Testkarte: Karte wird abgelehnt" },
  addCard: "Karte hinzufügen",
  passkeyWhy:
    "Mit einem Passkey geben Sie Zahlungen frei: per Gesichtserkennung, Fingerabdruck oder Displaysperre Ihres Geräts. Nur Sie können ihn verwenden.",
  createPasskey: "Passkey erstellen",
  codeWhy: "Um Ihre Identität zu bestätigen, senden wir Ihnen einen Code an {handle}.",
  sendCode: "Code senden",
  codeSent:
    "Wir haben einen Code an {handle} gesendet. Geben Sie ihn hier ein und teilen Sie ihn niemandem mit.",
  code: "Code",
  sendAnotherCode: "Neuen Code senden",
  wrongCode: "Dieser Code ist falsch oder abgelaufen. Prüfen Sie ihn oder fordern Sie einen neuen an.",
  tooManyCodes: "Es wurden zu viele Codes gesendet. Versuchen Sie es in einer Stunde erneut.",
  notSent:
    "Der Code konnte nicht gesendet werden. Versuchen Sie es später erneut oder bitten Sie um einen neuen Link.",
  approveTitle: "Diese Zahlung freigeben",
  approve: "Mit Passkey freigeben",
  notAsked:
    "Falls Sie diese Zahlung nicht angefordert haben, schließen Sie diese Seite. Ohne Ihre Freigabe wird nichts abgebucht.",
  ends: {
    idle: {
      title: "Im Moment ist nichts zu tun",
      text: "Die Zahlung wartet auf den Assistenten. Sie erhalten bei Bedarf einen neuen Link.",
    },
    ready: { title: "Zahlung freigegeben", text: "Sie können diese Seite schließen." },
    authorized: {
      title: "Zahlung wird verarbeitet",
      text: "Der Händler belastet die Karte. Sie können diese Seite schließen.",
    },
    succeeded: { title: "Zahlung abgeschlossen", text: "Sie können diese Seite schließen." },
    declined: { title: "Karte abgelehnt", text: "Die Karte wurde abgelehnt. Es wurde nichts abgebucht." },
    canceled: { title: "Zahlung storniert", text: "Es wurde nichts abgebucht." },
    other: {
      title: "Zahlung nicht mehr offen",
      text: "Sie wartet nicht mehr auf Ihre Freigabe. Es wurde nichts abgebucht.",
    },
  },
  needsScript: "Für die Passkeys Ihres Geräts ist JavaScript erforderlich.",
  provider: {
    title: "Anbieter für Testkarten verbinden",
    asks: "{account} bittet um die Erlaubnis, mit {provider} Testkarten zu erstellen.",
    authorize: "Erlauben",
    cancel: "Abbrechen",
  },
  expiredTitle: "Diese Seite ist abgelaufen",
  expired: "Kehren Sie zur vorherigen Seite zurück und beginnen Sie von vorn.",
  waiting: "Warten auf Ihr Gerät…",
  notConfirmed: "Ihr Gerät hat den Passkey nicht bestätigt. Versuchen Sie es noch einmal.",
  failed:
    "Es ist ein Fehler aufgetreten. Es wurde nichts abgebucht. Laden Sie diese Seite neu oder bitten Sie um einen neuen Link.",
};

const TRANSLATIONS = { en, es, fr, de } as const satisfies Record<Language, WalletTranslations>;

/** Returns the texts of the wallet pages in a language. */
export function walletTranslationsFor(language: Language): WalletTranslations {
  return TRANSLATIONS[language];
}
