import "server-only";

const AMR_FRAME_SECONDS = 0.02;
/** Bytes of a frame after its header byte, by frame type (RFC 4867). */
const AMR_NARROW = [12, 13, 15, 17, 19, 20, 26, 31, 5];
const AMR_WIDE = [17, 23, 32, 36, 40, 46, 50, 58, 60, 5];
const WIDE_HEAD = "#!AMR-WB\n";
const NARROW_HEAD = "#!AMR\n";

/** Duration of an AMR file in seconds. Each frame is 20 ms. */
export function amrSeconds(file: Buffer): number | null {
  const isWide = file.toString("latin1", 0, WIDE_HEAD.length) === WIDE_HEAD;
  const sizes = isWide ? AMR_WIDE : AMR_NARROW;
  let frames = 0;
  for (let at = isWide ? WIDE_HEAD.length : NARROW_HEAD.length; at < file.length; frames++) {
    at += 1 + (sizes[(file.readUInt8(at) >> 3) & 15] ?? 0);
  }
  return frames * AMR_FRAME_SECONDS;
}

const AAC_RATES = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
];

/** Duration of an AAC stream (ADTS) in seconds. Each frame states its size, rate and number of 1024-sample blocks. */
export function aacSeconds(file: Buffer): number | null {
  let seconds = 0;
  for (let at = afterTag(file); at + 7 <= file.length; ) {
    const isFrame = file.readUInt8(at) === 0xff && (file.readUInt8(at + 1) & 0xf6) === 0xf0;
    const rate = AAC_RATES[(file.readUInt8(at + 2) >> 2) & 15];
    const sizeBytes = (file.readUIntBE(at + 3, 3) >> 5) & 0x1fff;
    if (!isFrame || rate === undefined || sizeBytes < 7) break;
    seconds += (((file.readUInt8(at + 6) & 3) + 1) * 1024) / rate;
    at += sizeBytes;
  }
  return seconds;
}

const MP3_KBITS_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const MP3_KBITS_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const MP3_RATES = [44_100, 48_000, 32_000];
/** The divisor of the sample rate, by the two version bits. */
const HALVED = [4, 0, 2, 1];

/** Duration of an MP3 file (layer III) in seconds, read frame by frame to support variable bit rates. */
export function mp3Seconds(file: Buffer): number | null {
  let seconds = 0;
  for (let at = afterTag(file); at + 4 <= file.length; ) {
    const frame = mp3Frame(file.readUInt32BE(at));
    if (frame === null) break;
    // The encoder's info frame contains a table and no audio.
    const isTable = /Xing|Info/.test(file.toString("latin1", at, Math.min(at + 48, file.length)));
    if (!isTable) seconds += frame.seconds;
    at += frame.sizeBytes;
  }
  return seconds;
}

function mp3Frame(header: number): { seconds: number; sizeBytes: number } | null {
  const isFrame = header >>> 21 === 0x7ff && ((header >>> 17) & 3) === 1;
  const halved = HALVED[(header >>> 19) & 3] ?? 0;
  const kbits = (halved === 1 ? MP3_KBITS_1 : MP3_KBITS_2)[(header >>> 12) & 15] ?? 0;
  const rate = (MP3_RATES[(header >>> 10) & 3] ?? 0) / halved;
  if (!isFrame || halved === 0 || kbits === 0 || rate === 0) return null;

  const samples = halved === 1 ? 1152 : 576;
  const padding = (header >>> 9) & 1;
  return {
    seconds: samples / rate,
    sizeBytes: Math.floor(((samples / 8) * (kbits * 1000)) / rate) + padding,
  };
}

// The size of an ID3v2 tag is four bytes of seven bits each.
function afterTag(file: Buffer): number {
  if (file.toString("latin1", 0, 3) !== "ID3") return 0;
  const [a = 0, b = 0, c = 0, d = 0] = file.subarray(6, 10);
  return 10 + ((a << 21) | (b << 14) | (c << 7) | d);
}
