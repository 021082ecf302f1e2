// SPDX-License-Identifier: MIT
// What stands behind '#' in the address: enough to come back to the same view.

const values = new Map<string, string>(
    [...new URLSearchParams(location.hash.slice(1))],
);
let timer = 0;

export function get(key: string): string | undefined {
    return values.get(key);
}

export function getNumbers(key: string, count: number): number[] | undefined {
    const numbers = (values.get(key) ?? '').split(',').map(Number);
    return numbers.length === count && numbers.every(Number.isFinite) ? numbers : undefined;
}

// An empty value is left out.
export function set(key: string, value: string): void {
    if (value === '') {
        values.delete(key);
    } else {
        values.set(key, value);
    }
    clearTimeout(timer);
    timer = window.setTimeout(write, 150);
}

export function setNumbers(key: string, numbers: number[]): void {
    set(key, numbers.map((n) => String(+n.toPrecision(12))).join(','));
}

function write(): void {
    const words = [...values].map(([k, v]) => `${k}=${encodeURIComponent(v).replaceAll('%2C', ',').replaceAll('%3A', ':')}`);
    history.replaceState(null, '', '#' + words.join('&'));
}
