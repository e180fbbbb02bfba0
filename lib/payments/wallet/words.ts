import "server-only";
import type { Language } from "@/lib/payments/checkout/words";

/** What the wallet's pages say to a customer, in one language. */
export interface WalletWords {
  sandbox: string;
  to: string;
  askedBy: string;
  paidBy: string;
  purpose: string;
  invalidTitle: string;
  invalid: string;
  idleTitle: string;
  idle: string;
  addTitle: string;
  protectTitle: string;
  chooseCard: string;
  /** Of the sandbox's test cards, by their names. */
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
  noApprovalTitle: string;
  ends: Record<"ready" | "authorized" | "succeeded" | "declined" | "canceled" | "other", string>;
  needsScript: string;
  provider: { title: string; asks: string; authorize: string; cancel: string };
  expiredTitle: string;
  expired: string;
  waiting: string;
  notConfirmed: string;
  failed: string;
}

const en: WalletWords = {
  sandbox: "Sandbox: no money moves",
  to: "To",
  askedBy: "Asked by",
  paidBy: "Paid by",
  purpose: "For",
  invalidTitle: "This link is not valid",
  invalid: "Ask for a new one in your conversation.",
  idleTitle: "Nothing to do here",
  idle: "Your wallet is ready, or this payment has ended. You can close this page.",
  addTitle: "Add a card",
  protectTitle: "Protect your wallet",
  chooseCard: "Choose a test card. Never type a real card number here.",
  cards: { pays: "Test card that pays", declines: "Test card that is declined" },
  addCard: "Add card",
  passkeyWhy:
    "A passkey approves your payments: your face, your fingerprint or your device's code. Nobody else can approve with it.",
  createPasskey: "Create a passkey",
  codeWhy: "To confirm that it's you, we send a code to {handle}.",
  sendCode: "Send code",
  codeSent: "We sent a code to {handle}. Enter it here and share it with no one.",
  code: "Code",
  sendAnotherCode: "Send another code",
  wrongCode: "That code is wrong or has expired. Check the code, or send another one.",
  tooManyCodes: "Too many codes were sent. Try again in an hour.",
  notSent: "The code could not be sent. Try again later, or ask for a new link.",
  approveTitle: "Approve this payment",
  approve: "Approve with passkey",
  notAsked: "If you did not ask for this, close this page: nothing is charged without your approval.",
  noApprovalTitle: "Nothing to approve",
  ends: {
    ready: "You approved this payment. You can close this page.",
    authorized: "This payment is under way. You can close this page.",
    succeeded: "This payment is done. You can close this page.",
    declined: "The card was declined for this payment.",
    canceled: "This payment was canceled. Nothing was charged.",
    other: "This payment is no longer waiting for you. Nothing was charged.",
  },
  needsScript: "This page needs JavaScript to talk to your device's passkeys.",
  provider: {
    title: "Connect the test card provider",
    asks: "{account} asks to make test cards with {provider}.",
    authorize: "Authorize",
    cancel: "Cancel",
  },
  expiredTitle: "This page has expired",
  expired: "Begin again where you came from.",
  waiting: "Waiting for your device…",
  notConfirmed: "Your device did not confirm. You can try again.",
  failed: "That did not work and nothing was charged. Load this page again, or ask for a new link.",
};

const es: WalletWords = {
  sandbox: "Modo de prueba: no se cobra dinero real",
  to: "Para",
  askedBy: "Lo pide",
  paidBy: "Lo paga",
  purpose: "Concepto",
  invalidTitle: "Este enlace no es válido",
  invalid: "Pida uno nuevo en su conversación.",
  idleTitle: "Aquí no hay nada que hacer",
  idle: "Su cartera está lista o este pago ha terminado. Puede cerrar esta página.",
  addTitle: "Añadir una tarjeta",
  protectTitle: "Proteja su cartera",
  chooseCard: "Elija una tarjeta de prueba. No escriba nunca aquí un número de tarjeta real.",
  cards: { pays: "Tarjeta de prueba que paga", declines: "Tarjeta de prueba que se rechaza" },
  addCard: "Añadir tarjeta",
  passkeyWhy:
    "Una llave de acceso aprueba sus pagos: su cara, su huella o el código de su dispositivo. Nadie más puede aprobar con ella.",
  createPasskey: "Crear una llave de acceso",
  codeWhy: "Para confirmar que es usted, enviaremos un código a {handle}.",
  sendCode: "Enviar código",
  codeSent: "Hemos enviado un código a {handle}. Introdúzcalo aquí y no lo comparta con nadie.",
  code: "Código",
  sendAnotherCode: "Enviar otro código",
  wrongCode: "El código no es correcto o ha caducado. Compruébelo o solicite otro.",
  tooManyCodes: "Se han enviado demasiados códigos. Vuelva a intentarlo dentro de una hora.",
  notSent: "No se ha podido enviar el código. Vuelva a intentarlo más tarde o pida un enlace nuevo.",
  approveTitle: "Apruebe este pago",
  approve: "Aprobar con la llave de acceso",
  notAsked: "Si no lo ha pedido usted, cierre esta página: no se cobra nada sin su aprobación.",
  noApprovalTitle: "No hay nada que aprobar",
  ends: {
    ready: "Ha aprobado este pago. Puede cerrar esta página.",
    authorized: "Este pago está en curso. Puede cerrar esta página.",
    succeeded: "Este pago se ha completado. Puede cerrar esta página.",
    declined: "La tarjeta fue rechazada para este pago.",
    canceled: "Este pago se ha cancelado. No se ha cobrado nada.",
    other: "Este pago ya no le espera a usted. No se ha cobrado nada.",
  },
  needsScript: "Esta página necesita JavaScript para usar las llaves de acceso de su dispositivo.",
  provider: {
    title: "Conectar el proveedor de tarjetas de prueba",
    asks: "{account} pide crear tarjetas de prueba con {provider}.",
    authorize: "Autorizar",
    cancel: "Cancelar",
  },
  expiredTitle: "Esta página ha caducado",
  expired: "Empiece de nuevo donde estaba antes.",
  waiting: "Esperando a su dispositivo…",
  notConfirmed: "Su dispositivo no lo ha confirmado. Puede volver a intentarlo.",
  failed: "No ha funcionado y no se ha cobrado nada. Vuelva a cargar esta página o pida un enlace nuevo.",
};

const fr: WalletWords = {
  sandbox: "Mode test : aucun paiement réel",
  to: "À",
  askedBy: "Demandé par",
  paidBy: "Payé par",
  purpose: "Pour",
  invalidTitle: "Ce lien n’est pas valide",
  invalid: "Demandez-en un nouveau dans votre conversation.",
  idleTitle: "Rien à faire ici",
  idle: "Votre portefeuille est prêt, ou ce paiement est terminé. Vous pouvez fermer cette page.",
  addTitle: "Ajouter une carte",
  protectTitle: "Protégez votre portefeuille",
  chooseCard: "Choisissez une carte de test. Ne saisissez jamais ici un vrai numéro de carte.",
  cards: { pays: "Carte de test qui paie", declines: "Carte de test refusée" },
  addCard: "Ajouter la carte",
  passkeyWhy:
    "Une clé d’accès approuve vos paiements : votre visage, votre empreinte ou le code de votre appareil. Personne d’autre ne peut approuver avec elle.",
  createPasskey: "Créer une clé d’accès",
  codeWhy: "Pour confirmer votre identité, nous envoyons un code au {handle}.",
  sendCode: "Envoyer le code",
  codeSent: "Nous avons envoyé un code au {handle}. Saisissez-le ici et ne le communiquez à personne.",
  code: "Code",
  sendAnotherCode: "Envoyer un autre code",
  wrongCode: "Ce code est incorrect ou a expiré. Vérifiez-le ou demandez-en un autre.",
  tooManyCodes: "Trop de codes ont été envoyés. Réessayez dans une heure.",
  notSent: "Le code n’a pas pu être envoyé. Réessayez plus tard ou demandez un nouveau lien.",
  approveTitle: "Approuvez ce paiement",
  approve: "Approuver avec la clé d’accès",
  notAsked: "Si vous n’avez rien demandé, fermez cette page : rien n’est débité sans votre approbation.",
  noApprovalTitle: "Rien à approuver",
  ends: {
    ready: "Vous avez approuvé ce paiement. Vous pouvez fermer cette page.",
    authorized: "Ce paiement est en cours. Vous pouvez fermer cette page.",
    succeeded: "Ce paiement est terminé. Vous pouvez fermer cette page.",
    declined: "La carte a été refusée pour ce paiement.",
    canceled: "Ce paiement a été annulé. Rien n’a été débité.",
    other: "Ce paiement ne vous attend plus. Rien n’a été débité.",
  },
  needsScript: "Cette page a besoin de JavaScript pour utiliser les clés d’accès de votre appareil.",
  provider: {
    title: "Connecter le fournisseur de cartes de test",
    asks: "{account} demande à créer des cartes de test avec {provider}.",
    authorize: "Autoriser",
    cancel: "Annuler",
  },
  expiredTitle: "Cette page a expiré",
  expired: "Recommencez depuis la page précédente.",
  waiting: "En attente de votre appareil…",
  notConfirmed: "Votre appareil n’a pas confirmé. Vous pouvez réessayer.",
  failed: "Cela n’a pas fonctionné et rien n’a été débité. Rechargez cette page ou demandez un nouveau lien.",
};

const de: WalletWords = {
  sandbox: "Testmodus: Es fließt kein Geld",
  to: "An",
  askedBy: "Angefragt von",
  paidBy: "Bezahlt von",
  purpose: "Für",
  invalidTitle: "Dieser Link ist nicht gültig",
  invalid: "Bitten Sie in Ihrer Unterhaltung um einen neuen.",
  idleTitle: "Hier ist nichts zu tun",
  idle: "Ihre Wallet ist bereit, oder diese Zahlung ist beendet. Sie können diese Seite schließen.",
  addTitle: "Karte hinzufügen",
  protectTitle: "Schützen Sie Ihre Wallet",
  chooseCard: "Wählen Sie eine Testkarte. Geben Sie hier nie eine echte Kartennummer ein.",
  cards: { pays: "Testkarte, die bezahlt", declines: "Testkarte, die abgelehnt wird" },
  addCard: "Karte hinzufügen",
  passkeyWhy:
    "Ein Passkey gibt Ihre Zahlungen frei: mit Ihrem Gesicht, Ihrem Fingerabdruck oder dem Code Ihres Geräts. Niemand sonst kann damit etwas freigeben.",
  createPasskey: "Passkey erstellen",
  codeWhy: "Um zu bestätigen, dass Sie es sind, senden wir einen Code an {handle}.",
  sendCode: "Code senden",
  codeSent:
    "Wir haben einen Code an {handle} gesendet. Geben Sie ihn hier ein und teilen Sie ihn mit niemandem.",
  code: "Code",
  sendAnotherCode: "Neuen Code senden",
  wrongCode: "Dieser Code ist falsch oder abgelaufen. Prüfen Sie ihn oder fordern Sie einen neuen an.",
  tooManyCodes: "Es wurden zu viele Codes gesendet. Versuchen Sie es in einer Stunde erneut.",
  notSent:
    "Der Code konnte nicht gesendet werden. Versuchen Sie es später erneut oder bitten Sie um einen neuen Link.",
  approveTitle: "Diese Zahlung freigeben",
  approve: "Mit Passkey freigeben",
  notAsked:
    "Wenn Sie nichts angefragt haben, schließen Sie diese Seite: Ohne Ihre Freigabe wird nichts abgebucht.",
  noApprovalTitle: "Nichts freizugeben",
  ends: {
    ready: "Sie haben diese Zahlung freigegeben. Sie können diese Seite schließen.",
    authorized: "Diese Zahlung läuft. Sie können diese Seite schließen.",
    succeeded: "Diese Zahlung ist abgeschlossen. Sie können diese Seite schließen.",
    declined: "Die Karte wurde für diese Zahlung abgelehnt.",
    canceled: "Diese Zahlung wurde abgebrochen. Es wurde nichts abgebucht.",
    other: "Diese Zahlung wartet nicht mehr auf Sie. Es wurde nichts abgebucht.",
  },
  needsScript: "Diese Seite braucht JavaScript, um die Passkeys Ihres Geräts zu nutzen.",
  provider: {
    title: "Anbieter für Testkarten verbinden",
    asks: "{account} möchte mit {provider} Testkarten erstellen.",
    authorize: "Erlauben",
    cancel: "Abbrechen",
  },
  expiredTitle: "Diese Seite ist abgelaufen",
  expired: "Beginnen Sie dort, wo Sie herkamen, von vorn.",
  waiting: "Warten auf Ihr Gerät…",
  notConfirmed: "Ihr Gerät hat nicht bestätigt. Sie können es noch einmal versuchen.",
  failed:
    "Das hat nicht geklappt, und es wurde nichts abgebucht. Laden Sie diese Seite neu oder bitten Sie um einen neuen Link.",
};

const WORDS = { en, es, fr, de } as const satisfies Record<Language, WalletWords>;

export function walletWords(language: Language): WalletWords {
  return WORDS[language];
}
