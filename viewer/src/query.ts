// SPDX-License-Identifier: MIT
// A query: two clicks, one algorithm or several, their paths and figures beside each other, and what
// one of them expanded, in order.
import {
    BufferAttribute, BufferGeometry, Color, Group, Mesh, MeshBasicMaterial, Points, PointsMaterial,
    SphereGeometry, Vector3,
} from 'three';
import { Line2 } from 'three/examples/jsm/lines/Line2.js';
import { LineGeometry } from 'three/examples/jsm/lines/LineGeometry.js';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import * as address from './address';
import { ways } from './colours';
import type { Binary, Link } from './link';
import type { MapView } from './map_view';
import type { Stage } from './stage';
import { byId, download, el, heading, time, toast } from './ui';

export interface Path {
    algorithm: string;
    graph: string;
    status: string;
    length: number;
    straight: number;
    turning: number;
    expanded: number;
    sightChecks: number;
    us: number;
    points: number[][];
}

interface Expansions {
    algorithm: string;
    places: Float32Array;
    count: number;
    all: number;
    cloud: Points;
}

export class Query {
    private readonly group = new Group();
    private from: Vector3 | null = null;
    private to: Vector3 | null = null;
    private readonly marks: Mesh[];
    private paths: Path[] = [];
    private readonly lines = new Map<string, Line2>();
    private readonly chosen: Set<string>;
    private expansions: Expansions | null = null;
    private isRunning = false;
    private playing = false;

    constructor(private readonly link: Link, private readonly stage: Stage, private readonly view: MapView) {
        const known = view.facts.algorithms;
        const words = (address.get('algorithms') ?? 'portal').split(',').filter((w) => known.includes(w));
        this.chosen = new Set(words.length ? words : ['portal']);
        this.marks = ['#0b7a4b', '#b0256b'].map((colour) => {
            const mesh = new Mesh(new SphereGeometry(1, 20, 14), new MeshBasicMaterial({ color: colour, depthTest: false, transparent: true }));
            mesh.renderOrder = 6;
            mesh.visible = false;
            this.group.add(mesh);
            return mesh;
        });
        view.group.add(this.group);
        stage.onFrame.push(() => this.step());
        const from = address.getNumbers('from', 3), to = address.getNumbers('to', 3);
        if (from && to) {
            this.from = view.fromMetres(from);
            this.to = view.fromMetres(to);
            void this.run();
        } else {
            byId('hint').textContent = 'click: start of a query';
        }
    }

    // A click: the start, then the goal, then a new start.
    take(at: Vector3): void {
        if (!this.from || this.to) {
            this.clear();
            this.from = at;
            this.place();
            byId('hint').textContent = 'click: its goal';
        } else {
            this.to = at;
            void this.run();
        }
    }

    clear(): void {
        this.from = this.to = null;
        this.paths = [];
        this.dropLines();
        this.dropExpansions();
        byId('table').hidden = true;
        ['from', 'to'].forEach((k) => address.set(k, ''));
        this.place();
    }

    private place(): void {
        [this.from, this.to].forEach((at, i) => {
            this.marks[i]!.visible = at !== null;
            if (at) {
                this.marks[i]!.position.copy(at);
            }
        });
        this.stage.draw();
    }

    async run(): Promise<void> {
        const { from, to } = this;
        if (!from || !to || this.isRunning) {
            return;
        }
        this.place();
        this.isRunning = true;
        this.dropExpansions();
        byId('hint').textContent = 'searching …';
        const ends = { from: this.view.toMetres(from), to: this.view.toMetres(to) };
        address.setNumbers('from', ends.from);
        address.setNumbers('to', ends.to);
        address.set('algorithms', [...this.chosen].join(','));
        this.paths = [];
        // One after the other: the first path is there while the others are looked for.
        for (const algorithm of [...this.chosen]) {
            try {
                const answer = await this.link.ask<{ paths: Path[] }>(
                    'paths', { item: this.view.item, algorithms: [algorithm], ...ends });
                this.paths.push(...answer.paths);
            } catch (error) {
                toast(`${algorithm}: ${(error as Error).message}`);
            }
            this.drawLines();
            this.table();
        }
        this.isRunning = false;
        byId('hint').textContent = 'click: start of another query';
    }

    colourOf(algorithm: string): string {
        return ways[this.view.facts.algorithms.indexOf(algorithm) % ways.length]!;
    }

    private dropLines(): void {
        for (const line of this.lines.values()) {
            this.group.remove(line);
            line.geometry.dispose();
        }
        this.lines.clear();
        this.stage.draw();
    }

    private drawLines(): void {
        this.dropLines();
        for (const path of this.paths) {
            if (path.points.length < 2) {
                continue;
            }
            const geometry = new LineGeometry();
            geometry.setPositions(path.points.flatMap((p) => this.view.fromMetres(p).toArray()));
            const line = new Line2(geometry, new LineMaterial({
                color: this.colourOf(path.algorithm), linewidth: 4, depthTest: false, transparent: true }));
            line.renderOrder = 5;
            this.lines.set(path.algorithm, line);
            this.group.add(line);
        }
    }

    // ---- the table ----

    private table(): void {
        const side = byId('table');
        side.hidden = false;
        side.replaceChildren();
        heading(side, 'Query');
        side.append(this.ends(), this.choices());
        heading(side, 'Paths');
        const best = Math.min(...this.paths.filter((p) => p.status === 'found').map((p) => p.length));
        side.append(el('table', {}, el('thead', {}, el('tr', {},
            ...['', 'algorithm', 'metres', '', 'turn', 'nodes', 'time', ''].map((w, i) =>
                el('th', i > 1 && i < 7 ? { class: 'n' } : {}, w)))),
            el('tbody', {}, ...this.paths.map((p) => this.row(p, best)))));
        side.append(el('div', { class: 'row' }, el('span'),
            el('button', { id: 'csv', click: () => this.saveCsv() }, 'paths as CSV'),
            el('button', { id: 'reach', click: () => this.toggleReach() }, 'what can be reached')));
        if (this.expansions) {
            this.replayRow(side, this.expansions);
        }
    }

    private ends(): HTMLElement {
        const words = (at: Vector3 | null): string =>
            at ? this.view.toMetres(at).slice(0, this.view.facts.dims).map((n) => n.toFixed(2)).join(', ') : '–';
        return el('dl', { class: 'facts' }, el('dt', {}, 'from'), el('dd', {}, words(this.from)),
            el('dt', {}, 'to'), el('dd', {}, words(this.to)));
    }

    private choices(): HTMLElement {
        const box = el('div', {});
        for (const word of this.view.facts.algorithms) {
            const input = el('input', { type: 'checkbox', name: word, change: () => {
                if (input.checked) {
                    this.chosen.add(word);
                } else {
                    this.chosen.delete(word);
                }
                void this.run();
            } });
            input.checked = this.chosen.has(word);
            box.append(el('label', { style: 'display:inline-block;width:50%' }, input, ' ',
                el('i', { class: 'key', style: `background:${this.colourOf(word)}` }), word));
        }
        return box;
    }

    private row(path: Path, best: number): HTMLElement {
        const found = path.status === 'found';
        const show = el('input', { type: 'checkbox', 'aria-label': 'shown', change: () => {
            this.lines.get(path.algorithm)!.visible = show.checked;
            this.stage.draw();
        } });
        show.checked = true;
        show.disabled = !found;
        return el('tr', found ? {} : { class: 'off' },
            el('td', {}, show),
            el('td', { title: `over the graph ${path.graph}` },
                el('i', { class: 'key', style: `background:${this.colourOf(path.algorithm)}` }), path.algorithm),
            el('td', { class: 'n' }, found ? path.length.toPrecision(5) : path.status === 'none' ? 'no path' : path.status),
            el('td', { class: 'n dim' }, found && path.length > best ? `+${(100 * (path.length / best - 1)).toFixed(1)}%` : ''),
            el('td', { class: 'n' }, found ? `${Math.round((path.turning * 180) / Math.PI)}°` : ''),
            el('td', { class: 'n' }, path.expanded.toLocaleString('en')),
            el('td', { class: 'n' }, time(path.us)),
            el('td', {}, el('button', { title: 'replay what it expanded', 'data-replay': path.algorithm,
                click: () => void this.fetchExpansions(path.algorithm) }, '▶')));
    }

    private saveCsv(): void {
        const rows = ['algorithm,point,x,y,z'];
        for (const p of this.paths) {
            p.points.forEach((at, i) => rows.push([p.algorithm, i, ...at].join(',')));
        }
        download('octant-paths.csv', URL.createObjectURL(new Blob([rows.join('\n') + '\n'], { type: 'text/csv' })));
    }

    private isReach = false;
    private toggleReach(): void {
        this.isReach = !this.isReach;
        this.view.setReach(this.isReach ? this.from : null);
        if (this.isReach) {
            this.view.setShown(1, 'faded');
        }
    }

    // ---- what was expanded ----

    private async fetchExpansions(algorithm: string): Promise<void> {
        this.dropExpansions();
        const answer = await this.link.ask<Binary>('expansions', { item: this.view.item, algorithm,
            from: this.view.toMetres(this.from!), to: this.view.toMetres(this.to!) });
        const count = answer.first;
        const data = new DataView(answer.bytes.buffer, answer.bytes.byteOffset, count * 16);
        const places = new Float32Array(count * 3), colours = new Float32Array(count * 3);
        const early = new Color('#f3d38a'), late = new Color('#c0392b'), mixed = new Color();
        for (let i = 0; i < count; i++) {
            const at = this.view.fromMetres([0, 4, 8].map((k) => data.getFloat32(i * 16 + k, true)));
            at.toArray(places, i * 3);
            mixed.lerpColors(early, late, i / count).toArray(colours, i * 3);
        }
        const geometry = new BufferGeometry();
        geometry.setAttribute('position', new BufferAttribute(places, 3));
        geometry.setAttribute('color', new BufferAttribute(colours, 3));
        const cloud = new Points(geometry, new PointsMaterial({
            size: 5, sizeAttenuation: false, vertexColors: true, depthTest: false, transparent: true, opacity: 0.85 }));
        cloud.renderOrder = 4;
        cloud.frustumCulled = false;
        geometry.setDrawRange(0, 0);
        this.group.add(cloud);
        this.expansions = { algorithm, places, count, all: answer.second, cloud };
        this.table();
        this.playing = true;
        this.stage.draw();
    }

    private replayRow(side: HTMLElement, e: Expansions): void {
        heading(side, `Search of ${e.algorithm}`);
        const range = el('input', { type: 'range', id: 'expansion', min: '0', max: String(e.count), value: '0',
            'aria-label': 'nodes that were expanded', input: () => { this.playing = false; this.showExpansions(Number(range.value)); } });
        side.append(range, el('div', { class: 'dim', id: 'expanded' }));
    }

    private showExpansions(count: number): void {
        const e = this.expansions!;
        e.cloud.geometry.setDrawRange(0, count);
        byId('expanded').textContent = `${count.toLocaleString('en')} of ${e.all.toLocaleString('en')} nodes expanded` +
            (e.count < e.all ? `; the first ${e.count.toLocaleString('en')} are kept` : '');
        this.stage.draw();
    }

    // About four seconds for all of them.
    private step(): boolean {
        const scale = this.stage.camera.position.distanceTo(this.stage.controls.target) / 90;
        this.marks.forEach((m) => m.scale.setScalar(Math.max(scale, 0.2)));
        if (!this.playing || !this.expansions) {
            return false;
        }
        const e = this.expansions, range = byId<HTMLInputElement>('expansion');
        const next = Math.min(e.count, Number(range.value) + Math.ceil(e.count / 240));
        range.value = String(next);
        this.showExpansions(next);
        this.playing = next < e.count;
        return this.playing;
    }

    private dropExpansions(): void {
        this.playing = false;
        if (this.expansions) {
            this.group.remove(this.expansions.cloud);
            this.expansions.cloud.geometry.dispose();
            this.expansions = null;
            this.stage.draw();
        }
    }

    state(): Record<string, unknown> {
        return {
            from: this.from?.toArray() ?? null, to: this.to?.toArray() ?? null, running: this.isRunning,
            paths: this.paths.map((p) => ({ algorithm: p.algorithm, status: p.status, length: p.length, points: p.points.length })),
            lines: this.lines.size,
            expansions: this.expansions
                ? { count: this.expansions.count, drawn: this.expansions.cloud.geometry.drawRange.count } : null,
        };
    }
}
