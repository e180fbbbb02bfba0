import "server-only";
import type { ShiftTables } from "@/lib/adapters/transports/smpp/gsm-alphabet";
import type { Fields } from "@/lib/adapters/transports/smpp/pdu";

/** SMPP 3.4, 5.2.12 esm_class: the text begins with a user data header. */
const UDH_INDICATOR = 0x40;

/** The elements of a user data header that Trunkline reads (3GPP TS 23.040, 9.2.3.24). */
const CONCATENATED_8_BIT = 0x00;
const CONCATENATED_16_BIT = 0x08;
const SINGLE_SHIFT = 0x24;
const LOCKING_SHIFT = 0x25;

/** The place of a part in a long message. */
export interface PartOf {
  /** The reference, with the kind of header that gave it: references of different kinds are different. */
  reference: string;
  total: number;
  /** From 1. */
  number: number;
}

/** The content of a deliver_sm or data_sm. */
export interface UserData {
  /** The octets of the text, without the header. */
  octets: Buffer;
  /** null = the message is whole. */
  part: PartOf | null;
  shift: ShiftTables;
}

/** Reads the text of a message and its place in a long message, from its user data header or its sar_ parameters. */
export function readUserData(fields: Fields): UserData {
  const { short_message, message_payload, esm_class = 0 } = fields;
  const content = short_message?.length ? short_message : (message_payload ?? Buffer.alloc(0));
  const elements = (esm_class & UDH_INDICATOR) === 0 ? null : readHeader(content);
  const octets = elements === null ? content : content.subarray(1 + (content[0] ?? 0));
  return { octets, part: partOf(elements ?? [], fields), shift: shiftOf(elements ?? []) };
}

type Element = readonly [type: number, value: Buffer];

/** The elements of a header. null when the text is too short to have the header that it claims, which is text then. */
function readHeader(content: Buffer): Element[] | null {
  const length = content[0] ?? 0;
  if (content.length < 1 + length) return null;
  const elements: Element[] = [];
  const header = content.subarray(1, 1 + length);
  let at = 0;
  while (at + 2 <= header.length) {
    const [type = 0, size = 0] = header.subarray(at, at + 2);
    const value = header.subarray(at + 2, at + 2 + size);
    if (value.length < size) break;
    elements.push([type, value]);
    at += 2 + size;
  }
  return elements;
}

function partOf(elements: readonly Element[], fields: Fields): PartOf | null {
  for (const [type, value] of elements) {
    if (type === CONCATENATED_8_BIT && value.length === 3) {
      return validPart(`udh8 ${value[0]}`, value[1], value[2]);
    }
    if (type === CONCATENATED_16_BIT && value.length === 4) {
      return validPart(`udh16 ${value.readUInt16BE(0)}`, value[2], value[3]);
    }
  }
  const { sar_msg_ref_num, sar_total_segments, sar_segment_seqnum } = fields;
  if (sar_msg_ref_num === undefined) return null;
  return validPart(`sar ${sar_msg_ref_num}`, sar_total_segments, sar_segment_seqnum);
}

function validPart(reference: string, total?: number, number?: number): PartOf | null {
  if (total === undefined || number === undefined) return null;
  return total < 2 || number < 1 || number > total ? null : { reference, total, number };
}

function shiftOf(elements: readonly Element[]): ShiftTables {
  const language = (wanted: number) =>
    elements.find(([type, value]) => type === wanted && value.length === 1)?.[1][0] ?? 0;
  return { locking: language(LOCKING_SHIFT), single: language(SINGLE_SHIFT) };
}
