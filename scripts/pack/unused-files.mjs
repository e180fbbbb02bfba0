/** Files that only builds, development, debuggers, or configurations and databases that Trunkline does not use read. */
const UNUSED = [
  /\.(map|d\.[cm]?ts)$/,
  /^(@next\/swc-|caniuse-lite\/)/,
  /^next\/dist\/(docs|bundle-analyzer|esm)\//,
  /^next\/dist\/compiled\/.*(\.runtime\.dev\.js$|-experimental)/,
  /^next\/dist\/compiled\/(babel|babel-packages|terser|next-devtools|@vercel\/og)\//,
  /(^|\/)react[a-z-]*\/cjs\/.*\.(development|profiling)\.js$/,
  /^zod\/src\//,
  /^bintrees\/(test|dist)\//,
  /^csv-(parse|stringify)\/dist\/(esm|iife|umd)\//,
  /^@prisma\/client\/runtime\/query_compiler_((?!fast_bg\.postgresql\.)|.*\.js$)/,
];

/** Whether an installation needs no such file. `file`: relative to node_modules, with slashes. */
export function isUnused(file) {
  return UNUSED.some((pattern) => pattern.test(file));
}
