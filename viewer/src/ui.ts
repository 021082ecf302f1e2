// SPDX-License-Identifier: MIT
// Small parts of the page.

type Child = Node | string | null | undefined;

export function el<K extends keyof HTMLElementTagNameMap>(
    tag: K, set: Record<string, string | ((event: Event) => void)> = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
    const e = document.createElement(tag);
    for (const [key, value] of Object.entries(set)) {
        if (typeof value === 'function') {
            e.addEventListener(key, value);
        } else {
            e.setAttribute(key, value);
        }
    }
    e.append(...children.filter((c): c is Node | string => c !== null && c !== undefined));
    return e;
}

export function byId<T extends HTMLElement>(id: string): T {
    return document.getElementById(id) as T;
}

// One of several words, as buttons in a row. Returns what sets it without telling.
export function choice(
    parent: HTMLElement, title: Child[], words: string[], chosen: string, tell: (word: string) => void,
): (word: string) => void {
    const buttons = words.map((word) => el('button', { 'aria-pressed': 'false', click: () => { set(word); tell(word); } }, word));
    const set = (word: string): void =>
        buttons.forEach((b, i) => b.setAttribute('aria-pressed', String(words[i] === word)));
    const seg = el('span', { class: 'seg', role: 'group' }, ...buttons);
    parent.append(el('div', { class: 'row' }, el('span', {}, ...title), seg));
    set(chosen);
    return set;
}

export function heading(parent: HTMLElement, words: string): void {
    parent.append(el('h3', {}, words));
}

export function short(n: number): string {
    return n >= 1e9 ? `${(n / 1e9).toPrecision(3)} G` : n >= 1e6 ? `${(n / 1e6).toPrecision(3)} M`
        : n >= 1e4 ? `${Math.round(n / 1e3)} k` : String(n);
}

export function time(us: number): string {
    return us >= 1e6 ? `${(us / 1e6).toPrecision(3)} s` : us >= 1e3 ? `${(us / 1e3).toPrecision(3)} ms`
        : `${us.toPrecision(3)} µs`;
}

export function download(name: string, url: string): void {
    const a = el('a', { href: url, download: name });
    document.body.append(a);
    a.click();
    a.remove();
}

export function toast(words: string): void {
    byId('state').textContent = words;
}
