/** Words and forms beside which a short number is a one-time code, in the languages in which services send codes. */
const CODE_WORDS = new RegExp(
  [
    String.raw`codes?(?![\p{L}\p{N}])`,
    String.raw`(?<![\p{L}\p{N}])(?:otps?|2fa|mfa|pins?|tans?|tokens?|verification|verify|authenticat\p{L}*|one[ -]time|(?:security|access) keys?|(?:sign|log)(?:ging|ning|ing)?[ -]?in)(?![\p{L}\p{N}])`,
    String.raw`(?<![\p{L}\p{N}])(?:c[oó]digos?|codic[ei]|cod(?:ul)?|k[oó]d(?:e|en|et|u|un|unuz|unuzu)?|koodi|einmalpasswort|mot de passe à usage unique|mã|şifre\p{L}*|doğrulama|κωδικ[οό]\p{L}*)(?![\p{L}\p{N}])`,
    "код|пин|验证码|驗證碼|校验码|動態碼|动态码|確認碼|確認码|认证码|認證碼|安全码|認証コード|確認コード|認証番号|パスコード|ワンタイム|セキュリティコード|暗証番号|인증|보안 ?코드|รหัส|رمز|كود|کد|کوڈ|קוד|कोड|ओटीपी|पिन|কোড|ওটিপি|குறியீடு",
    String.raw`\p{Nd}{4,8} is your (?!(?:order|booking|reservation|room|table|ticket|case|invoice|reference|tracking|customer)\b)`,
    String.raw`(?<![\p{L}\p{N}])(?:use|enter|type) (?:\p{L}-)?[\p{Nd} -]{4,9} (?:to|as|for|when|on|in)(?![\p{L}\p{N}])`,
  ].join("|"),
  "iu",
);
/** Codes that are no secrets: their number can be searched for. */
const PUBLIC_CODE =
  /(?<![\p{L}\p{N}])(?:(?:zip|postal|post|postcode|area|country|dress|promo|promotion|discount|coupon|voucher|gift|sort|color|colour|bar|qr|product|booking|order|rabatt|gutschein|aktions)[ -]?codes?|code postal|c[oó]digo (?:postal|promocional|de (?:descuento|pedido|reserva))|kod pocztowy|kode pos|posta kodu|mã (?:giảm giá|đơn hàng|bưu điện|bưu chính|sản phẩm))(?![\p{L}\p{N}])|邮政编码|郵便番号/giu;
const CARD_CODE_WORDS =
  /(?<![\p{L}\p{N}])(?:cvv2?|cvc2?|cv2|cid|(?:card )?(?:security|verification) (?:code|number)s?)(?![\p{L}\p{N}])/iu;
const CARD_CODE = /(?<![\p{L}\p{N}$€£¥₹.,+])\p{Nd}{3,4}(?![\p{L}\p{N}]|[.,]\p{Nd}|\s?[€%])/gu;
/** A text that is nothing else is a code. */
const CODE_ALONE = /^\s*(?:\p{L}-)?(?=(?:[ -]?\p{Nd}){4,8}(?![ -]?\p{Nd}))\p{Nd}+(?:[ -]\p{Nd}+)?[.!]?\s*$/u;
const SHORT_CODE =
  /(?<![\p{L}\p{N}$€£¥₹.,+])(?:\p{L}-)?(?:\p{Nd}(?:[ -]\p{Nd}){3,7}|\p{Nd}{2,4}[ -]\p{Nd}{2,4}|\p{Nd}{4,8})(?![\p{L}\p{N}]|[.,]\p{Nd}|\s?[€%])/gu;
const LETTER_CODE =
  /(?<![\p{L}\p{N}])(?=[A-Z0-9]{0,9}\d)(?=[A-Z0-9]{0,9}[A-Z])[A-Z0-9]{5,10}(?![\p{L}\p{N}])/gu;
const PASSWORD =
  /(?:pass(?:word|phrase|wd)|pwd|contrase(?:ñ|n\u0303)a|mot de passe|passwor[td]|kennwort|wachtwoord|senha|hasło|mật khẩu|parola|şifre\p{L}{0,6}|пароль|密码|密碼|パスワード|비밀번호|पासवर्ड|รหัสผ่าน|كلمة (?:السر|المرور))(?:\s+(?:is|ist|es|est)\s*|\s*[:：=は]\s*)["'“]?(?<secret>\S+)/giu;
const PASS = /(?<![\p{L}\p{N}])(?:pass|pw)\s*[:：=]\s*["'“]?(?<secret>\S+)/giu;
/** Without a word between, only what has a digit or sign like a password. */
const PASSWORD_BESIDE =
  /(?<![\p{L}\p{N}])(?:password|passwort|passwd|pwd)\s+["'“]?(?<secret>(?=\S{0,128}[\p{Nd}!@#$%^&*_])\S{4,})/giu;
const PASSWORDS = [PASSWORD, PASS, PASSWORD_BESIDE];
const CARD_NUMBER = /(?<![\d+])[2-6](?:[ \u00a0\u2007\u2009\u202f.\-–]?\d){12,18}(?!\d)/g;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** API keys, sign-in links and session tokens: long, and digits and letters together. */
const LONG_TOKEN = /[\w+=~-]{20,}/g;
const MIN_TOKEN_DIGITS = 3;
const MIN_TOKEN_LETTERS = 3;
const URL_TEXT = /\bhttps?:\/\/[^\s<>"]+/giu;

/**
 * Replaces what must not be searchable in the texts of a message by as many spaces: one-time codes, passwords, card
 * numbers, tokens, and of URLs everything that can carry a secret (the query, the fragment and parts of the path with
 * digits). A word for codes in one text hides the short numbers of all.
 */
export function hideSecrets(texts: readonly string[]): string[] {
  const patterns = codePatterns(texts);
  return texts.map((text) => {
    if (CODE_ALONE.test(text)) return blank(text);
    return patterns.reduce((open, pattern) => open.replaceAll(pattern, blank), hideInText(text));
  });
}

function hideInText(text: string): string {
  const open = text
    .replaceAll(URL_TEXT, hideInUrl)
    .replaceAll(CARD_NUMBER, (found) => (isCardNumber(found) ? blank(found) : found))
    .replaceAll(LONG_TOKEN, (found) => (isToken(found) ? blank(found) : found));
  return PASSWORDS.reduce((shown, pattern) => shown.replaceAll(pattern, hideSecretOf), open);
}

/** The secret is the end of what was found. */
function hideSecretOf(found: string, ...rest: unknown[]): string {
  const { secret = "" } = rest.at(-1) as Readonly<Record<string, string>>;
  return found.slice(0, found.length - secret.length) + blank(secret);
}

// Without the rest of a long run of marks: putting n marks in order can take n² steps.
function composed(text: string): string {
  return text.replaceAll(/(\p{M}{4})\p{M}+/gu, "$1").normalize("NFC");
}

/** What the words of all texts say is a code. */
function codePatterns(texts: readonly string[]): RegExp[] {
  const read = texts.map((text) => composed(text).replaceAll(PUBLIC_CODE, blank));
  return [
    ...(read.some((text) => CODE_WORDS.test(text)) ? [SHORT_CODE, LETTER_CODE] : []),
    ...(read.some((text) => CARD_CODE_WORDS.test(text)) ? [CARD_CODE] : []),
  ];
}

function hideInUrl(url: string): string {
  const end = url.search(/[?#]/);
  const path = end === -1 ? url : url.slice(0, end);
  const shown = path.replaceAll(/\/[^/]*\d[^/]*/g, (part, at: number) =>
    at < "https://".length ? part : blank(part),
  );
  return shown + blank(url.slice(path.length));
}

function isToken(text: string): boolean {
  if (UUID.test(text)) return false;
  const digits = text.match(/\d/g)?.length ?? 0;
  const letters = text.match(/[A-Za-z]/g)?.length ?? 0;
  return digits >= MIN_TOKEN_DIGITS && letters >= MIN_TOKEN_LETTERS;
}

/** The checksum of card numbers (ISO/IEC 7812). */
function isCardNumber(text: string): boolean {
  const digits = [...text.replaceAll(/\D/g, "")].reverse().map(Number);
  const sum = digits.reduce((total, digit, index) => {
    const doubled = digit * 2;
    return total + (index % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}

function blank(text: string): string {
  return " ".repeat(text.length);
}
