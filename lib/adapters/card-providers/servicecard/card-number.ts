import "server-only";
import { sha256, signText } from "@/lib/platform/crypto";

/** The range of test numbers: no issuer gives them out. */
const BIN = "400000";
const ACCOUNT_DIGITS = 9;

/** A card's number: worked out of its reference and this instance's key whenever it is shown, and stored nowhere. */
export function numberOf(cardRef: string): string {
  const body = BIN + digitsOf(`number.${cardRef}`, ACCOUNT_DIGITS);
  return body + checkDigit(body);
}

/** A card's security code, likewise. */
export function codeOf(cardRef: string): string {
  return digitsOf(`code.${cardRef}`, 3);
}

/** A keyed hash by which a number is found again. */
export function tagOf(number: string): Buffer {
  return sha256(signText("servicecard number", number));
}

function digitsOf(text: string, count: number): string {
  const hash = sha256(signText("servicecard card", text));
  return String(hash.readUIntBE(0, 6) % 10 ** count).padStart(count, "0");
}

// Luhn: every second digit from the right is doubled, the check digit makes the sum a multiple of ten.
function checkDigit(body: string): string {
  const sum = [...body].reverse().reduce((total, digit, index) => {
    const value = index % 2 === 0 ? Number(digit) * 2 : Number(digit);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return String((10 - (sum % 10)) % 10);
}
