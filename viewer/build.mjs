// SPDX-License-Identifier: MIT
// Bundles the page and writes it as a C file that the command carries: node build.mjs OUT.c
import { build } from 'esbuild';
import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const folder = new URL('.', import.meta.url).pathname;
const bundle = await build({
    entryPoints: [folder + 'src/main.ts'],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    legalComments: 'inline',
    write: false,
});
const files = [
    ['', 'text/html; charset=utf-8', readFileSync(folder + 'src/index.html')],
    ['style.css', 'text/css', readFileSync(folder + 'src/style.css')],
    ['app.js', 'text/javascript', Buffer.from(bundle.outputFiles[0].contents)],
];
const parts = ['// Made by viewer/build.mjs.\n#include "view/page.h"\n'];
const rows = [];
files.forEach(([name, type, bytes], i) => {
    const packed = gzipSync(bytes, { level: 9 });
    parts.push(`static const unsigned char file_${i}[] = {`, [...packed].join(','), '};\n');
    rows.push(`    {"${name}", "${type}", file_${i}, sizeof file_${i}},\n`);
    console.log(`${name || 'index.html'}: ${bytes.length} bytes, ${packed.length} packed`);
});
parts.push(`const view_file oct_view_files[] = {\n${rows.join('')}};\n`);
parts.push(`const size_t oct_view_file_count = ${files.length};\n`);
writeFileSync(process.argv[2], parts.join(''));
