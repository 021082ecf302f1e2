// SPDX-License-Identifier: MIT
// Runs a WebAssembly program that sees the files of this machine, and ends as it ends.
//   node wasi.mjs PROGRAM [ARGUMENT...]
import { readFile } from 'node:fs/promises'
import { WASI } from 'node:wasi'

const args = process.argv.slice(2)
const wasi = new WASI({ version: 'preview1', args, env: process.env, preopens: { '/': '/' } })
const module = await WebAssembly.compile(await readFile(args[0]))
const imports = { wasi_snapshot_preview1: wasi.wasiImport }
process.exitCode = wasi.start(await WebAssembly.instantiate(module, imports))
