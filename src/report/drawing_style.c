// SPDX-License-Identifier: MIT
// How drawings look, in light and dark. The colours of ways are those of Okabe and Ito (2008),
// which people of any colour vision tell apart, darkened for thin lines.
#include "report/drawing.h"

const char *const oct_drawing_style[] = {
    ":root{--m-unknown:#b9c2cc;--m-open:#f6f9fc;--m-blocked:#cfd7e0;--m-frontier:#f3c05a;"
    "--m-wall:#5a6778;--m-solid:#94a1b1;--m-door:#b4690e;--m-way:#0f8a5f;--m-panel:#2f6fd0;--m-"
    "target:#b0256b;"
    "--m-ink:#1d2530;--m-dim:#66717f;--m-card:#fff;--halo:#ffffffd8;--a0:#0072b2;--a1:#c04a00;"
    "--a2:#00805c;--a3:#a8477e;--a4:#a87400;--a5:#2b8fc9;--a6:#5b4fb0;--a7:#4a4a4a}\n",
    "@media(prefers-color-scheme:dark){:root{--m-unknown:#0c1016;--m-open:#303b49;"
    "--m-blocked:#1b222c;--m-frontier:#b97a1c;--m-wall:#8492a4;--m-solid:#55616f;--m-door:#e09a45;-"
    "-m-way:#4cc39a;"
    "--m-panel:#5b9df0;--m-target:#f06a9b;--m-ink:#e3e8ef;--m-dim:#93a0b0;--m-card:#1b212a;"
    "--halo:#12161cd8;--a0:#56b4e9;--a1:#ff9a5c;--a2:#3fd0a5;--a3:#e79cc6;--a4:#f0c75e;"
    "--a5:#9fd3f5;--a6:#b6acf5;--a7:#c8c8c8}}\n",
    "svg text{font:11px system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif;"
    "fill:var(--m-ink)}"
    ".m-unknown{fill:var(--m-unknown)}.m-open{fill:var(--m-open)}.m-blocked{fill:var(--m-blocked)}"
    ".m-frontier{fill:var(--m-frontier)}.m-wall{fill:var(--m-wall)}.m-door{fill:var(--m-door)}"
    ".m-way{fill:none;stroke:var(--m-way);stroke-width:2;stroke-dasharray:4 3}"
    ".m-panel{fill:var(--m-panel)}.m-target{fill:var(--m-target)}"
    ".m-track{fill:none;stroke-width:2.2;stroke-linejoin:round;stroke-linecap:round}"
    ".m-again{stroke-dasharray:9 4}.m-else{stroke-width:1.2;opacity:.55;stroke-dasharray:2 "
    "3}.m-path{fill:none;"
    "stroke:var(--m-ink);stroke-width:1.3;"
    "stroke-dasharray:5 4}.m-replan{fill:none;stroke:var(--m-ink);stroke-width:4;"
    "stroke-linecap:round;opacity:.55}svg .m-name,svg .m-press text{text-anchor:middle;"
    "font-size:10.5px}svg .m-name{paint-order:stroke;stroke:var(--halo);stroke-width:3px;"
    "stroke-linejoin:round}.m-press circle{fill:var(--m-panel);stroke:var(--m-card);"
    "stroke-width:1.5}svg .m-press text{fill:#fff;font-weight:700;font-size:9px}"
    ".m-scale path{fill:none;stroke:var(--m-dim)}.m-key:not(.m-way){stroke:var(--m-dim);"
    "stroke-width:.6}\n",
    ".m-track.a0{stroke:var(--a0)}.m-track.a1{stroke:var(--a1)}.m-track.a2{stroke:var(--a2)}"
    ".m-track.a3{stroke:var(--a3)}.m-track.a4{stroke:var(--a4)}.m-track.a5{stroke:var(--a5)}"
    ".m-track.a6{stroke:var(--a6)}.m-track.a7{stroke:var(--a7)}"
    ".m-start,.m-end{stroke:var(--m-card);stroke-width:1.5}"
    ".m-start.a0,.m-end.a0,.m-now.a0{fill:var(--a0)}.m-start.a1,.m-end.a1,.m-now.a1{fill:var(--a1)}"
    ".m-start.a2,.m-end.a2,.m-now.a2{fill:var(--a2)}.m-start.a3,.m-end.a3,.m-now.a3{fill:var(--a3)}"
    ".m-start.a4,.m-end.a4,.m-now.a4{fill:var(--a4)}.m-start.a5,.m-end.a5,.m-now.a5{fill:var(--a5)}"
    ".m-start.a6,.m-end.a6,.m-now.a6{fill:var(--a6)}.m-start.a7,.m-end.a7,.m-now.a7{fill:var(--a7)}"
    ".m-now{stroke:var(--m-card);stroke-width:2}\n",
    NULL,
};
