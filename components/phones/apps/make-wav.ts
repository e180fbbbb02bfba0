const HEADER_BYTES = 44;
const BITS = 16;
const SAMPLE_RATE = 16_000;
const TUNE_HZ = [523, 659, 784, 659, 880, 784];
const NOTE_SECONDS = 0.32;
const LOUDNESS = 0.35;

/** Encodes mono samples between -1 and 1 as a WAV file. */
export function makeWav(samples: Float32Array, sampleRate: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(HEADER_BYTES + samples.length * 2);
  const view = new DataView(bytes.buffer);
  const text = (at: number, value: string) => {
    for (const [index, letter] of [...value].entries()) view.setUint8(at + index, letter.charCodeAt(0));
  };
  text(0, "RIFF");
  view.setUint32(4, bytes.length - 8, true);
  text(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, sampleRate * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, BITS, true);
  text(36, "data");
  view.setUint32(40, samples.length * 2, true);
  for (const [index, sample] of samples.entries()) {
    const clipped = Math.max(-1, Math.min(1, sample));
    view.setInt16(HEADER_BYTES + index * 2, Math.round(clipped * 0x7fff), true);
  }
  return bytes;
}

/** A sample voice memo of about two seconds: a short tune. */
export function makeSampleMemo(): Uint8Array<ArrayBuffer> {
  const perNote = Math.round(SAMPLE_RATE * NOTE_SECONDS);
  const samples = new Float32Array(perNote * TUNE_HZ.length);
  for (const [note, hz] of TUNE_HZ.entries()) {
    for (let at = 0; at < perNote; at++) {
      const fade = 1 - at / perNote;
      samples[note * perNote + at] = Math.sin((2 * Math.PI * hz * at) / SAMPLE_RATE) * fade * LOUDNESS;
    }
  }
  return makeWav(samples, SAMPLE_RATE);
}

/** Encodes bytes in base64. */
export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
