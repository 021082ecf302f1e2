// SPDX-License-Identifier: MIT
// The quadtree demo: a player moved with the keys, walls placed with the mouse, and the tree of what
// was seen, growing. Labels have the colours of Hoekzema 2024, figure 4: red is blocked, blue open,
// cyan unknown; the player is green, goal and path are yellow.
import * as address from './address';
import type { Binary, Link } from './link';
import { byId, choice, download, el, heading, toast } from './ui';

interface Answer {
    player: number[];
    goal: number[];
    walls: number[][];
    path: { status: string; length: number; expanded: number; points: number[][] };
    root: number[]; // x, y, edge
    nodes: number;
    bytes: number;
}

const COLOURS = ['#19c7d8', '#3f6bff', '#ff4040']; // unknown, open, blocked
const STEP = 0.5; // metres a key
const STEPS_MAX = 4000; // a walk ends
const ALGORITHMS = ['dijkstra', 'astar', 'theta', 'portal'];

export class QuadtreeView {
    private readonly canvas = el('canvas', { id: 'lab', tabindex: '0' });
    private answer!: Answer;
    private leaves = new Int32Array(0);
    private roots: number[] = []; // edges that the root had
    private radius = address.get('radius') === 'all' ? Infinity : Number(address.get('radius') ?? 12) || 12;
    private line = address.get('line') === '1';
    private algorithm = ALGORITHMS.includes(address.get('algorithm') ?? '') ? address.get('algorithm')! : 'dijkstra';
    private size = [4, 2];
    private scale = 10;
    private centre = [8, 2];
    private readonly waiting: Record<string, unknown>[] = [];
    private isAsking = false;
    private walks = false;
    private drag: { from: number[]; to: number[]; kind: 'goal' | 'wall' | 'pan' } | null = null;
    private shows = { tree: true, walls: true };
    private replans = 0;
    private steps = 0; // of this walk
    private readonly facts = el('dl', { class: 'facts', id: 'quadtree-facts' });

    static async open(link: Link, item: number): Promise<QuadtreeView> {
        const view = new QuadtreeView(link, item);
        await view.act({});
        return view;
    }

    private constructor(private readonly link: Link, private readonly item: number) {
        byId('canvas').hidden = true;
        byId('view').append(this.canvas);
        byId('export').onclick = () => download('octant-quadtree.png', this.canvas.toDataURL('image/png'));
        new ResizeObserver(() => this.answer && this.draw()).observe(byId('view'));
        this.canvas.addEventListener('pointerdown', (e) => this.down(e));
        this.canvas.addEventListener('pointermove', (e) => this.moved(e));
        this.canvas.addEventListener('pointerup', () => this.up());
        this.canvas.addEventListener('contextmenu', (e) => e.preventDefault());
        this.canvas.addEventListener('wheel', (e) => {
            e.preventDefault();
            this.scale = Math.min(Math.max(this.scale * Math.exp(-e.deltaY / 400), 0.2), 60);
            this.draw();
        }, { passive: false });
        this.controls();
    }

    // ---- the command ----

    // What is done, one after the other; each is followed by a look and a new way.
    async act(what: Record<string, unknown>): Promise<void> {
        this.waiting.push(what);
        if (this.isAsking) {
            return;
        }
        this.isAsking = true;
        while (this.waiting.length > 0) {
            const next = this.waiting.shift()!;
            try {
                this.answer = await this.link.ask<Answer>('quadtree', { item: this.item, algorithm: this.algorithm, line: this.line,
                    ...(Number.isFinite(this.radius) ? { radius: this.radius } : {}), ...next });
                const leaves = await this.link.ask<Binary>('quadtree_leaves', { item: this.item });
                this.leaves = new Int32Array(leaves.bytes.slice().buffer);
                this.replans++;
                toast('');
            } catch (error) {
                toast((error as Error).message);
            }
            if (this.answer && this.roots.at(-1) !== this.answer.root[2]!) {
                this.roots.push(this.answer.root[2]!);
            }
            this.follow();
            this.tell();
            this.draw();
        }
        this.isAsking = false;
        if (this.walks) {
            requestAnimationFrame(() => this.walk());
        }
    }

    private move(dx: number, dy: number): void {
        if (this.waiting.length === 0) {
            const { player } = this.answer;
            void this.act({ move: [player[0]! + dx * STEP, player[1]! + dy * STEP] });
        }
    }

    // Along the path, half a metre at a time; what is seen on the way may change it.
    private walk(): void {
        const { path, player } = this.answer;
        let [x, y] = player as [number, number], left = STEP;
        for (const [px, py] of path.points.slice(1) as [number, number][]) {
            const length = Math.hypot(px - x, py - y);
            const share = length > 0 ? Math.min(1, left / length) : 1;
            x += share * (px - x);
            y += share * (py - y);
            left -= share * length;
            if (left <= 1e-9) {
                break;
            }
        }
        if (!this.walks || this.steps++ > STEPS_MAX || Math.hypot(x - player[0]!, y - player[1]!) < 1e-6) {
            this.setWalks(false);
            return;
        }
        void this.act({ move: [x, y] }).then(() => {
            if (this.answer.player[0] === player[0] && this.answer.player[1] === player[1]) {
                this.setWalks(false); // something is in the way
            }
        });
    }

    private setWalks(on: boolean): void {
        this.walks = on;
        this.steps = 0;
        byId('walk').setAttribute('aria-pressed', String(on));
        if (on && !this.isAsking) {
            this.walk();
        }
    }

    // ---- the pointer ----

    private at(e: PointerEvent): number[] {
        const box = this.canvas.getBoundingClientRect();
        return [this.centre[0]! + (e.clientX - box.left - box.width / 2) / this.scale,
            this.centre[1]! - (e.clientY - box.top - box.height / 2) / this.scale];
    }

    private down(e: PointerEvent): void {
        const at = this.at(e), { goal } = this.answer;
        this.canvas.setPointerCapture(e.pointerId);
        if (e.button === 2) {
            void this.act({ remove: at });
        } else if (e.button === 1) {
            this.drag = { from: [e.clientX, e.clientY], to: at, kind: 'pan' };
        } else {
            const isGoal = Math.hypot(at[0]! - goal[0]!, at[1]! - goal[1]!) < Math.max(1, 8 / this.scale);
            this.drag = { from: at, to: at, kind: isGoal ? 'goal' : 'wall' };
        }
    }

    private moved(e: PointerEvent): void {
        if (!this.drag) {
            return;
        }
        if (this.drag.kind === 'pan') {
            this.centre = [this.centre[0]! - (e.clientX - this.drag.from[0]!) / this.scale, this.centre[1]! + (e.clientY - this.drag.from[1]!) / this.scale];
            this.drag.from = [e.clientX, e.clientY];
        } else {
            this.drag.to = this.at(e);
            if (this.drag.kind === 'goal' && this.waiting.length === 0) {
                void this.act({ goal: this.drag.to });
            }
        }
        this.draw();
    }

    // A click places a wall of the size of the form; a drag spans one.
    private up(): void {
        const drag = this.drag;
        this.drag = null;
        if (drag?.kind === 'goal') {
            void this.act({ goal: drag.to });
        } else if (drag?.kind === 'wall') {
            const [w, h] = drag.to.map((c, i) => Math.abs(c - drag.from[i]!)) as [number, number];
            const half = this.size.map((s) => s / 2);
            void this.act({ wall: Math.max(w, h) * this.scale > 6 ? [...drag.from, ...drag.to]
                : [...drag.from.map((c, i) => c - half[i]!), ...drag.from.map((c, i) => c + half[i]!)] });
        }
    }

    // The player stays in the picture.
    private follow(): void {
        const w = this.canvas.clientWidth / this.scale, h = this.canvas.clientHeight / this.scale;
        [w, h].forEach((span, i) => {
            const away = this.answer.player[i]! - this.centre[i]!, most = span * 0.38;
            this.centre[i]! += Math.sign(away) * Math.max(0, Math.abs(away) - most);
        });
    }

    // ---- the picture ----

    draw(): void {
        const parent = this.canvas.parentElement!;
        const w = (this.canvas.width = parent.clientWidth), h = (this.canvas.height = parent.clientHeight);
        const c = this.canvas.getContext('2d')!;
        c.fillStyle = '#000000';
        c.fillRect(0, 0, w, h);
        c.setTransform(this.scale, 0, 0, -this.scale, w / 2 - this.centre[0]! * this.scale, h / 2 + this.centre[1]! * this.scale);
        if (this.shows.walls) {
            c.fillStyle = '#ffffff';
            this.answer.walls.forEach(([x, y, X, Y]) => c.fillRect(x!, y!, X! - x!, Y! - y!));
        }
        if (this.shows.tree) {
            this.drawTree(c);
        }
        if (this.drag?.kind === 'wall') {
            c.fillStyle = '#ffffff88';
            c.fillRect(this.drag.from[0]!, this.drag.from[1]!, this.drag.to[0]! - this.drag.from[0]!, this.drag.to[1]! - this.drag.from[1]!);
        }
        this.drawWay(c);
        c.setTransform(1, 0, 0, 1, 0, 0);
    }

    private drawTree(c: CanvasRenderingContext2D): void {
        c.lineWidth = 1 / this.scale;
        for (const label of [0, 1, 2]) {
            c.strokeStyle = COLOURS[label]!;
            c.fillStyle = `${COLOURS[label]!}33`;
            for (let i = 0; i < this.leaves.length; i += 4) {
                if (this.leaves[i + 3] === label) {
                    const x = this.leaves[i]!, y = this.leaves[i + 1]!, e = this.leaves[i + 2]!, gap = 0.5 / this.scale;
                    c.fillRect(x, y, e, e);
                    c.strokeRect(x + gap, y + gap, e - 2 * gap, e - 2 * gap);
                }
            }
        }
        const [x, y, e] = this.answer.root as [number, number, number];
        c.strokeStyle = '#ffffff';
        c.lineWidth = 2 / this.scale;
        c.strokeRect(x, y, e, e);
    }

    private drawWay(c: CanvasRenderingContext2D): void {
        const { player, goal, path } = this.answer;
        if (Number.isFinite(this.radius)) {
            c.strokeStyle = '#ffffff88';
            c.lineWidth = 1 / this.scale;
            c.beginPath();
            c.arc(player[0]!, player[1]!, this.radius, 0, 2 * Math.PI);
            c.stroke();
        }
        c.strokeStyle = '#ffe600';
        c.lineWidth = 2.5 / this.scale;
        c.beginPath();
        path.points.forEach(([x, y], i) => (i === 0 ? c.moveTo(x!, y!) : c.lineTo(x!, y!)));
        c.stroke();
        const mark = (at: number[], colour: string): void => {
            const r = Math.max(0.5, 5 / this.scale);
            c.fillStyle = colour;
            c.fillRect(at[0]! - r, at[1]! - r, 2 * r, 2 * r);
        };
        mark(goal, '#ffe600');
        mark(player, '#00d040');
    }

    // ---- the side ----

    private controls(): void {
        const side = byId('side');
        side.replaceChildren();
        heading(side, 'Player');
        const radius = el('input', { type: 'range', id: 'radius', min: '2', max: '101', value: String(Math.min(this.radius, 101)),
            'aria-label': 'how far it sees', input: () => this.setRadius(Number(radius.value)) });
        const line = el('input', { type: 'checkbox', id: 'by-line', change: () => {
            this.line = line.checked;
            address.set('line', this.line ? '1' : '');
            void this.act({});
        } });
        line.checked = this.line;
        side.append(el('div', { id: 'radius-told', class: 'dim' }), radius,
            el('label', { class: 'row', title: 'not in the document: there everything within the radius is seen' }, el('span', {}, 'walls hide what is behind'), line),
            el('div', { class: 'row' }, el('span', { class: 'dim' }, 'arrows or w a s d'),
                el('button', { id: 'walk', 'aria-pressed': 'false', title: 'follow the path (space)', click: () => this.setWalks(!this.walks) }, 'Walk')));
        heading(side, 'Path');
        const algorithm = el('select', { id: 'algorithm', 'aria-label': 'algorithm', change: () => {
            this.algorithm = algorithm.value;
            address.set('algorithm', algorithm.value);
            void this.act({});
        } }, ...ALGORITHMS.map((w) => el('option', { value: w }, w)));
        algorithm.value = this.algorithm;
        side.append(el('div', { class: 'row' }, el('span', {}, 'search'), algorithm));
        heading(side, 'Walls');
        const input = (i: number): HTMLInputElement => {
            const e = el('input', { type: 'number', value: String(this.size[i]), min: '0.1', step: '0.5', style: 'width:62px',
                'aria-label': i ? 'height of walls' : 'width of walls', input: () => (this.size[i] = Math.max(Number(e.value) || 1, 0.05)) });
            return e;
        };
        side.append(el('div', { class: 'row' }, el('span', {}, 'size of a click'), input(0), '×', input(1)),
            el('div', { class: 'dim' }, 'left: place, or drag to span one; right: remove; drag the goal'));
        heading(side, 'Shown');
        choice(side, ['walls'], ['shown', 'hidden'], 'shown', (w) => { this.shows.walls = w === 'shown'; this.draw(); });
        choice(side, ['tree'], ['shown', 'hidden'], 'shown', (w) => { this.shows.tree = w === 'shown'; this.draw(); });
        for (const [i, word] of [[2, 'blocked'], [1, 'open'], [0, 'unknown']] as const) {
            side.append(el('div', {}, el('i', { class: 'key', style: `background:${COLOURS[i]}` }), word));
        }
        heading(side, 'Tree');
        side.append(this.facts, el('div', { class: 'row' }, el('span'),
            el('button', { id: 'forget', click: () => { this.roots = []; void this.act({ forget: true }); } }, 'Forget')));
        this.tellRadius();
    }

    private setRadius(value: number): void {
        this.radius = value > 100 ? Infinity : value;
        address.set('radius', Number.isFinite(this.radius) ? String(this.radius) : 'all');
        this.tellRadius();
        void this.act({});
    }

    private tellRadius(): void {
        byId('radius-told').textContent = Number.isFinite(this.radius) ? `sees ${this.radius} m` : 'sees without a limit';
    }

    private tell(): void {
        const { root, nodes, bytes, path } = this.answer;
        byId('facts').textContent = 'a quadtree that grows with what is seen';
        const rows: [string, string][] = [
            ['root', `${root[2]} × ${root[2]} cells`], ['leaves', (this.leaves.length / 4).toLocaleString('en')],
            ['nodes', nodes.toLocaleString('en')], ['memory', `${(bytes / 1000).toFixed(1)} kB`],
            ['path', path.status === 'found' ? `${path.length.toFixed(1)} m` : path.status === 'none' ? 'no path' : path.status],
            ['expanded', path.expanded.toLocaleString('en')],
        ];
        this.facts.replaceChildren(...rows.flatMap(([k, v]) => [el('dt', {}, k), el('dd', {}, v)]));
    }

    key(event: KeyboardEvent): boolean {
        const found: Record<string, () => void> = {
            ArrowLeft: () => this.move(-1, 0), ArrowRight: () => this.move(1, 0), ArrowUp: () => this.move(0, 1), ArrowDown: () => this.move(0, -1),
            a: () => this.move(-1, 0), d: () => this.move(1, 0), w: () => this.move(0, 1), s: () => this.move(0, -1),
            ' ': () => this.setWalks(!this.walks),
        };
        found[event.key]?.();
        return found[event.key] !== undefined;
    }

    // Where a place of the world is drawn, pixels of the page; for tests.
    pixelOf(at: number[]): number[] {
        const box = this.canvas.getBoundingClientRect();
        return [box.left + box.width / 2 + (at[0]! - this.centre[0]!) * this.scale, box.top + box.height / 2 - (at[1]! - this.centre[1]!) * this.scale];
    }

    state(): Record<string, unknown> {
        const labels = [0, 0, 0];
        for (let i = 0; i < this.leaves.length; i += 4) {
            labels[this.leaves[i + 3]!]!++;
        }
        return { ...this.answer, walls: this.answer.walls.length, labels, roots: this.roots, walks: this.walks, asking: this.isAsking,
            replans: this.replans, path: { status: this.answer.path.status, length: this.answer.path.length, points: this.answer.path.points } };
    }
}
