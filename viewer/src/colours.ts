// SPDX-License-Identifier: MIT
// Colours that people of any colour vision tell apart: those of Okabe and Ito (2008) for ways, steps
// of lightness for levels.
import { Color } from 'three';

export const ways = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#7a6fd0', '#8a8a8a', '#7b4a2d'];

// As view_leaves.c paints.
export const paint = { unknown: 1, open: 2, blocked: 3, frontier: 4, reached: 5, apart: 6, many: 8 };

const manyHues = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#f0e442', '#7a6fd0'];

export type Colouring = 'label' | 'level' | 'component' | 'reach';

// The 32 paints in a row, as the shader takes them.
export function palette(by: Colouring, dark: boolean): Color[] {
    const all = Array.from({ length: 32 }, () => new Color('#888888'));
    all[paint.unknown]!.set(dark ? '#4a5563' : '#aab4c0');
    all[paint.open]!.set(dark ? '#a9cbe8' : '#bfdcf3');
    all[paint.blocked]!.set(dark ? '#9aa7b8' : '#8796a8');
    all[paint.frontier]!.set('#f0a63c');
    all[paint.reached]!.set('#2aa67f');
    all[paint.apart]!.set('#d0703a');
    for (let i = paint.many; i < 32; i++) {
        const n = i - paint.many;
        if (by === 'level') {
            all[i]!.setHSL(0.62 - 0.06 * Math.min(n, 8), 0.55, 0.32 + 0.06 * Math.min(n, 8));
        } else {
            all[i]!.set(manyHues[n % 8]!).multiplyScalar(1 - 0.25 * Math.floor(n / 8));
        }
    }
    return all;
}

export function isDark(): boolean {
    const chosen = document.documentElement.dataset['theme'];
    return chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}
