// SPDX-License-Identifier: MIT
// The page: chooses what is shown, and hands keys and clicks on.
import * as address from './address';
import { isDark } from './colours';
import { LabView } from './lab';
import { Link } from './link';
import { MapView } from './map_view';
import { QuadtreeView } from './quadtree';
import { ReplayView } from './replay';
import { Stage } from './stage';
import { SwarmView } from './swarm';
import { byId, download, el, toast } from './ui';

interface Hello {
    version: string;
    items: { kind: 'map' | 'trace' | 'swarm' | 'lab' | 'quadtree'; name: string }[];
}

const CLICK_PIXELS = 4; // a pointer that moves farther turns the camera

async function start(): Promise<void> {
    const theme = address.get('theme');
    if (theme === 'dark' || theme === 'light') {
        document.documentElement.dataset['theme'] = theme;
    }
    const stage = new Stage(byId<HTMLCanvasElement>('canvas'));
    const link = await Link.open();
    link.onClose = () => toast('octant has ended');
    const hello = await link.ask<Hello>('hello');
    const item = Math.min(Math.max(Number(address.get('item') ?? 0) || 0, 0), hello.items.length - 1);
    const choose = byId<HTMLSelectElement>('item');
    choose.append(...hello.items.map((one, i) =>
        el('option', { value: String(i) }, one.name)));
    choose.value = String(item);
    choose.hidden = hello.items.length < 2;
    // Another item is another page: nothing of the old one stays.
    choose.onchange = () => {
        location.hash = `item=${choose.value}`;
        location.reload();
    };
    document.title = `${hello.items[item]!.name} – Octant`;
    const kind = hello.items[item]!.kind;
    const swarm = kind === 'swarm' ? await SwarmView.open(link, stage, item) : null;
    const map = kind === 'map' ? await MapView.open(link, stage, item) : swarm?.map ?? null;
    const replay = kind === 'trace' ? await ReplayView.open(link, stage, item) : null;

    const lab = kind === 'lab' ? await LabView.open(link, item) : null;
    const quadtree = kind === 'quadtree' ? await QuadtreeView.open(link, item) : null;

    const canvas = byId<HTMLCanvasElement>('canvas');
    let down: PointerEvent | null = null;
    canvas.addEventListener('pointerdown', (e) => (down = e));
    canvas.addEventListener('pointerup', (e) => {
        if (map && down && e.button === 0 && Math.hypot(e.clientX - down.clientX, e.clientY - down.clientY) < CLICK_PIXELS) {
            void map.pick(stage.rayAt(e).ray).then((picked) => picked && map.query.take(picked.place));
        }
        down = null;
    });

    const setTheme = (): void => {
        const next = isDark() ? 'light' : 'dark';
        document.documentElement.dataset['theme'] = next;
        address.set('theme', next);
        stage.theme();
        map?.recolour();
        lab?.recolour();
    };
    const savePicture = (): void => byId('export').click();
    const savePage = (): void => download('octant.png', stage.picture());
    const help = byId<HTMLDialogElement>('keys');
    byId('theme').onclick = setTheme;
    byId('export').onclick ??= savePage;
    byId('help').onclick = () => help.showModal();
    addEventListener('keydown', (event) => {
        const target = event.target as HTMLElement;
        if (help.open || event.ctrlKey || event.metaKey || event.altKey || target.tagName === 'SELECT' ||
            (target.tagName === 'BUTTON' && event.key === ' ') ||
            (target.tagName === 'BUTTON' && event.key === 'Enter') ||
            (target instanceof HTMLInputElement && (event.key.startsWith('Arrow') || !['checkbox', 'range', 'radio'].includes(target.type)))) {
            return;
        }
        const found: Record<string, () => void> = {
            '?': () => help.showModal(), d: setTheme, p: savePicture,
            ...(lab || quadtree ? {} : { r: () => { address.set('cam', ''); location.reload(); } }),
        };
        // The demo moves with d, too.
        const act: (() => void) | undefined = quadtree && event.key === 'd' ? undefined : found[event.key];
        act?.();
        if (act !== undefined || lab?.key(event) || quadtree?.key(event) || swarm?.key(event) || map?.key(event) || replay?.key(event)) {
            event.preventDefault();
        }
    });
    if (map) {
        stage.onFrame.push(() => { map.tell(); return false; });
    }
    // For tests: how things stand, without looking at pixels.
    Object.assign(window, { octant: {
        state: () => ({ frames: { ...stage.frames }, slow: stage.isSlow, map: map?.state() ?? null, replay: replay?.state() ?? null,
            swarm: swarm?.state() ?? null, lab: lab?.state() ?? null,
            quadtree: quadtree?.state() ?? null }),
        stage, map, replay, swarm, lab, quadtree,
    } });
}

start().catch((error: Error) => {
    toast(error.message);
    console.error(error);
});
