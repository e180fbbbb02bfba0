/** The section of the contract about an operation, by the first pattern that its path matches. */
const SECTIONS: readonly (readonly [RegExp, string])[] = [
  [/attachments/, "10.2"],
  [/available_number/, "7.3"],
  [/blocked_handles/, "9.2"],
  [/capability/, "11.4"],
  [/contact_card$/, "11.5"],
  [/share_contact_card/, "5.6"],
  [/reputation_audit/, "11.3"],
  [/phone_?numbers/, "11.1"],
  [/(typing|read)$/, "5.4"],
  [/background/, "5.5"],
  [/(participants|leave)/, "5.3"],
  [/location/, "8.4"],
  [/polls?(\/|$)/, "8.3"],
  [/voicememo/, "7.6"],
  [/reactions/, "8.2"],
  [/update$/, "6.5"],
  [/(unsend|thread)$/, "7.7"],
  [/scheduled_messages/, "7.8"],
  [/payment_requests/, "13.1"],
  [/payments\/handles/, "14.2"],
  [/payments\/providers/, "14.3"],
  [/payments/, "14.1"],
  [/experiences/, "15"],
  [/webhook[-_]/, "12.1"],
  [/consumers/, "17.1"],
  [/^\/v3\/messages$/, "7.3"],
  [/messages/, "7.1"],
  [/chats/, "5.2"],
  [/^\/v3/, "17"],
];

/** The section of the contract about the operation with this path. */
export function sectionOf(path: string): string {
  return SECTIONS.find(([pattern]) => pattern.test(path))?.[1] ?? "16.2";
}
