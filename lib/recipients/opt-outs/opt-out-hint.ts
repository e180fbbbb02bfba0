import "server-only";
import { optOutKeyword } from "@/lib/recipients/opt-outs/opt-out-keyword";

/** Words that are unambiguous in a short message, also in the languages in which carriers know STOP. */
const CLEAR = new Set([
  ...[
    "stop",
    "stopall",
    "unsubscribe",
    "revoke",
    "optout",
    "stopp",
    "arret",
    "arreter",
    "desabonner",
    "desinscrire",
  ],
  ...[
    "abmelden",
    "abbestellen",
    "alto",
    "parar",
    "detener",
    "cancelarsuscripcion",
    "sair",
    "afmelden",
    "avsluta",
  ],
  ...[
    "стоп",
    "стопп",
    "отписаться",
    "отпишите",
    "отписка",
    "στοπ",
    "停止",
    "退订",
    "退訂",
    "取消订阅",
    "중지",
    "수신거부",
    "توقف",
    "إيقاف",
    "ايقاف",
  ],
]);
const MAX_CLEAR_WORDS = 8;

/** Words that count only when the message contains hardly anything else. */
const VAGUE = new Set(["cancel", "end", "quit", "fin", "baja", "basta", "cancelar", "annuler", "ende"]);
const MAX_VAGUE_WORDS = 2;
const LEAST_SPELLED = 3;

/**
 * Returns the word, in lower case, that makes a message a possible opt-out, for example in "Stop", "stop please",
 * "STOP.", "ＳＴＯＰ", "S T O P" or "ARRÊT": compatibility forms, marks, zero-width characters and spelling aside
 * (docs/contract.md, section 9.1). Returns null for a keyword, which opts out automatically, and for any other message.
 * Never opts anyone out: a person decides.
 */
export function optOutHint(text: string): string | null {
  if (optOutKeyword(text) !== null) return null;
  const words = wordsOf(text);
  const clear = words.length <= MAX_CLEAR_WORDS ? words.find((word) => CLEAR.has(word)) : undefined;
  const vague = words.length <= MAX_VAGUE_WORDS ? words.find((word) => VAGUE.has(word)) : undefined;
  return clear ?? vague ?? null;
}

function wordsOf(text: string): string[] {
  const plain = text
    .normalize("NFKD")
    .replace(/\p{M}|\p{Cf}|\p{Cc}/gu, (mark) => (/\s/.test(mark) ? " " : ""))
    .normalize("NFKC")
    .toLowerCase();
  const spelled = plain.replace(/\bopt[\s_\p{Pd}]*out\b/gu, "optout");
  return joinSpelled(spelled.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== ""));
}

/** Joins words that are spelled letter by letter, such as S T O P. */
function joinSpelled(words: readonly string[]): string[] {
  const joined: string[] = [];
  let letters: string[] = [];
  const end = () => {
    joined.push(...(letters.length >= LEAST_SPELLED ? [letters.join("")] : letters));
    letters = [];
  };
  for (const word of words) {
    if ([...word].length === 1) {
      letters.push(word);
      continue;
    }
    end();
    joined.push(word);
  }
  end();
  return joined;
}
