/** A sample image of the camera roll or the stickers, drawn in the browser. */
export interface Sample {
  name: string;
  draw: (context: CanvasRenderingContext2D, width: number, height: number) => void;
}

const TAU = Math.PI * 2;

function sky(
  context: CanvasRenderingContext2D,
  width: number,
  height: number,
  colors: readonly string[],
): void {
  const gradient = context.createLinearGradient(0, 0, 0, height);
  for (const [at, color] of colors.entries()) gradient.addColorStop(at / (colors.length - 1), color);
  context.fillStyle = gradient;
  context.fillRect(0, 0, width, height);
}

function disc(
  context: CanvasRenderingContext2D,
  color: string,
  [x, y, radius]: [number, number, number],
): void {
  context.fillStyle = color;
  context.beginPath();
  context.arc(x, y, radius, 0, TAU);
  context.fill();
}

function ridge(
  context: CanvasRenderingContext2D,
  color: string,
  points: readonly (readonly [number, number])[],
): void {
  const { width, height } = context.canvas;
  context.fillStyle = color;
  context.beginPath();
  context.moveTo(0, height);
  for (const [x, y] of points) context.lineTo(x * width, y * height);
  context.lineTo(width, height);
  context.fill();
}

/** The photos of every phone's camera roll. */
export const PHOTOS: readonly Sample[] = [
  {
    name: "Sunset",
    draw(context, width, height) {
      sky(context, width, height, ["#2b2a5c", "#a5486b", "#f5925e", "#fbd786"]);
      disc(context, "#fff1c9", [width * 0.5, height * 0.66, height * 0.11]);
      ridge(context, "#241b3b", [
        [0, 0.82],
        [0.3, 0.78],
        [0.6, 0.84],
        [1, 0.79],
      ]);
    },
  },
  {
    name: "Mountains",
    draw(context, width, height) {
      sky(context, width, height, ["#8ec5fc", "#e0f2ff"]);
      disc(context, "#fffdf2", [width * 0.78, height * 0.22, height * 0.08]);
      ridge(context, "#7c93b8", [
        [0, 0.7],
        [0.2, 0.42],
        [0.42, 0.68],
        [0.66, 0.34],
        [1, 0.66],
      ]);
      ridge(context, "#47618c", [
        [0, 0.82],
        [0.28, 0.58],
        [0.5, 0.8],
        [0.8, 0.55],
        [1, 0.78],
      ]);
      ridge(context, "#24523f", [
        [0, 0.9],
        [0.4, 0.84],
        [0.7, 0.9],
        [1, 0.85],
      ]);
    },
  },
  {
    name: "Table for two",
    draw(context, width, height) {
      sky(context, width, height, ["#5b3a29", "#8d5a3b"]);
      disc(context, "#f7f2ea", [width * 0.36, height * 0.54, height * 0.27]);
      disc(context, "#ece3d4", [width * 0.36, height * 0.54, height * 0.2]);
      disc(context, "#d9603b", [width * 0.32, height * 0.5, height * 0.09]);
      disc(context, "#7a9b4a", [width * 0.42, height * 0.57, height * 0.07]);
      disc(context, "#f4eadb", [width * 0.76, height * 0.4, height * 0.13]);
      disc(context, "#4a2c1a", [width * 0.76, height * 0.4, height * 0.1]);
    },
  },
  {
    name: "City at night",
    draw(context, width, height) {
      sky(context, width, height, ["#0b1026", "#27305c"]);
      for (let at = 0; at < 12; at++) {
        const tall = height * (0.25 + ((at * 37) % 50) / 100);
        const left = (at * width) / 12;
        context.fillStyle = at % 2 === 0 ? "#161c3a" : "#1e2650";
        context.fillRect(left, height - tall, width / 12, tall);
        context.fillStyle = "#ffd98a";
        for (let y = height - tall + 10; y < height - 8; y += 16) {
          if ((y + at * 7) % 3 !== 0) context.fillRect(left + ((at + y) % 3) * 8 + 4, y, 5, 7);
        }
      }
    },
  },
  {
    name: "Receipt",
    draw(context, width, height) {
      sky(context, width, height, ["#cfd6dd", "#aab4bf"]);
      context.fillStyle = "#fffefb";
      context.fillRect(width * 0.28, height * 0.06, width * 0.44, height * 0.88);
      context.fillStyle = "#565b62";
      context.font = `${Math.round(height * 0.06)}px monospace`;
      const lines = ["HARBOR KITCHEN", "", "2 x Ramen   28", "1 x Tea      4", "", "TOTAL   $32.00"];
      for (const [at, line] of lines.entries())
        context.fillText(line, width * 0.31, height * (0.18 + at * 0.11));
    },
  },
  {
    name: "Balloons",
    draw(context, width, height) {
      sky(context, width, height, ["#bde3ff", "#f6fbff"]);
      const colors = ["#e85d75", "#f2a65a", "#5a9bd8", "#6cc08b", "#9b7fd1"];
      for (const [at, color] of colors.entries()) {
        const x = width * (0.2 + at * 0.15);
        const y = height * (0.34 + (at % 2) * 0.14);
        context.strokeStyle = "#8a97a5";
        context.beginPath();
        context.moveTo(x, y);
        context.lineTo(width * 0.5, height);
        context.stroke();
        disc(context, color, [x, y, height * 0.13]);
      }
    },
  },
];

/** The stickers of every phone. Each is one emoji on a round badge. */
export const STICKERS: readonly Sample[] = [..."🎉🦊🌮🚀🐙🌈"].map((emoji, at) => ({
  name: emoji,
  draw(context, width, height) {
    disc(context, `hsl(${at * 60} 85% 88%)`, [width / 2, height / 2, width * 0.48]);
    context.font = `${Math.round(height * 0.56)}px sans-serif`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(emoji, width / 2, height * 0.54);
  },
}));

interface Drawing {
  width: number;
  height: number;
  type: "image/jpeg" | "image/png";
}

const QUALITY = 0.85;

/** Draws a sample as a data URL. */
export function drawSample(sample: Sample, { width, height, type }: Drawing): string {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d");
  if (context !== null) sample.draw(context, width, height);
  return canvas.toDataURL(type, QUALITY);
}

/** Returns the base64 part of a data URL. */
export function base64Of(dataUrl: string): string {
  return dataUrl.slice(dataUrl.indexOf(",") + 1);
}
