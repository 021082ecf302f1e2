// SPDX-License-Identifier: MIT
// cmocka wants this header before its own. The one beside this needs nothing of it, and that of
// WebAssembly refuses to be included.
