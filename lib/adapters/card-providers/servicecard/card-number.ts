import "server-only";
import { sha256, signText } from "@/lib/platform/crypto/crypto";

/** A range of test numbers that no issuer assigns. */
const BIN = "400000";
const ACCOUNT_DIGITS = 9;

/** Derives a card's number from its reference and this instance's key. The number is never stored. */
export function numberOf(cardRef: string): string {
  const body = BIN + digitsOf(`number.${cardRef}`, ACCOUNT_DIGITS);
  return body + checkDigit(body);
}

/** Derives a card's security code in the same way. */
export function codeOf(cardRef: string): string {
  return digitsOf(`code.${cardRef}`, 3);
}

/** Returns the keyed hash by which a number is looked up. */
export function tagOf(number: string): Buffer {
  return sha256(signText("servicecard number", number));
}

function digitsOf(text: string, count: number): string {
  const hash = sha256(signText("servicecard card", text));
  return String(hash.readUIntBE(0, 6) % 10 ** count).padStart(count, "0");
}

// The Luhn check digit makes the sum, with every second digit from the right doubled, a multiple of 10.
function checkDigit(body: string): string {
  const sum = [...body].reverse().reduce((total, digit, index) => {
    const value = index % 2 === 0 ? Number(digit) * 2 : Number(digit);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return String((10 - (sum % 10)) % 10);
}
