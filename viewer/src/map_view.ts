// SPDX-License-Identifier: MIT
// A map: its leaves by label, level, component or reach, cut by a plane that can be dragged.
import {
    BufferGeometry, CanvasTexture, Color, DoubleSide, Float32BufferAttribute, FrontSide, Group, LineBasicMaterial, LineSegments,
    Mesh, MeshBasicMaterial, NearestFilter, Plane, PlaneGeometry, Ray, SRGBColorSpace, Vector3, Vector4, Box3,
} from 'three';
import * as address from './address';
import { type Box, Boxes, wireframe } from './boxes';
import { Chunks, type Look } from './chunks';
import { type Colouring, isDark, palette, paint } from './colours';
import type { Binary, Link } from './link';
import { Labels } from './labels';
import { Query } from './query';
import type { Stage } from './stage';
import { byId, choice, el, heading, short, toast } from './ui';

export interface SceneFacts {
    cell: number;
    origin: number[];
    dims: number;
    up: number;
    min: number[];
    max: number[];
    counts: number[];
    leaves: number;
    bytes: number;
    levels: number[];
    isClosed: boolean; // blocked all around
    devices: { id: string; kind: string; type: string; name: string; box: number[]; open: boolean }[];
    wires: { from: string; to: string; action: string }[];
    blocks: number; // of a world
    types: { name: string; kind: string; opaque: boolean }[]; // of its blocks
    algorithms: string[];
}

export interface Picked {
    label: string;
    level: number;
    at: number[]; // its smallest cell
    place: Vector3; // before it, in cells from the map's smallest one
}

const LABELS = ['unknown', 'open', 'blocked'] as const;
const AXES = 'xyz';

export class MapView {
    readonly group = new Group();
    readonly chunks: Chunks;
    readonly query: Query;
    readonly span: Vector3; // cells
    private look: Look;
    private slice: { axis: number; cell: number } | null = null;
    private sliceMesh: Mesh | null = null;
    private sliceRow!: HTMLElement;
    private setAxis!: (word: string) => void;
    private readonly setLabel: ((word: string) => void)[] = [];
    private sliceAsked = 0;
    private blocks: { solid: Boxes; glass: Boxes; group: Group } | null = null;
    private showsBlocks = address.get('blocks') === '1';

    static async open(link: Link, stage: Stage, item: number): Promise<MapView> {
        return new MapView(link, stage, item, await link.ask<SceneFacts>('scene', { item }));
    }

    private constructor(
        private readonly link: Link, readonly stage: Stage, readonly item: number, readonly facts: SceneFacts,
    ) {
        if (facts.dims === 2) {
            facts.min[2] = 0;
            facts.max[2] = 1;
        }
        this.span = new Vector3().fromArray(facts.max.map((m, i) => m - facts.min[i]!));
        const shown = (address.get('show') ?? 'hidden,hidden,shown').split(',');
        const word = address.get('by') ?? 'label';
        this.look = {
            shown: LABELS.map((_, i) => (['hidden', 'faded', 'shown'].includes(shown[i]!) ? shown[i] : 'hidden')) as Look['shown'],
            by: ['label', 'level', 'component'].includes(word) ? word : 'label',
            frontier: address.get('frontier') === '1',
        };
        this.chunks = new Chunks(link, stage, item, facts.min, facts.max);
        this.group.add(this.chunks.group, wireframe(new Vector3(), this.span, isDark() ? '#53606f' : '#9aa7b5'));
        stage.world.add(this.group);
        this.addDevices();
        this.query = new Query(link, stage, this);
        this.controls();
        this.recolour();
        this.chunks.setLook(this.look);
        const up = new Vector3().setComponent(facts.dims === 2 ? 2 : facts.up, 1);
        stage.lookAt(this.span.clone().multiplyScalar(0.5), this.span.length() / 2, up, facts.dims === 2);
        const kept = /^([xyz]):(-?\d+)$/.exec(address.get('slice') ?? '');
        if (kept) {
            this.setSlice(AXES.indexOf(kept[1]!), Number(kept[2]));
        } else if (facts.isClosed && address.get('slice') === undefined) {
            this.setSlice(facts.up, undefined); // else one would see nothing but its hull
        }
        byId('facts').textContent =
            `${short(facts.leaves)} leaves, ${this.span.toArray().slice(0, facts.dims).join(' × ')} cells of ${facts.cell} m`;
    }

    // ---- places ----

    toMetres(cells: Vector3): number[] {
        return cells.toArray().map((c, i) => this.facts.origin[i]! + (c + this.facts.min[i]!) * this.facts.cell);
    }

    fromMetres(at: number[]): Vector3 {
        return new Vector3().fromArray(at.map((m, i) => (m - this.facts.origin[i]!) / this.facts.cell - this.facts.min[i]!));
    }

    // ---- looks ----

    recolour(): void {
        this.chunks.setPalette(palette(this.look.by as Colouring, isDark()));
        if (this.slice) {
            this.setSlice(this.slice.axis, this.slice.cell);
        }
    }

    setShown(label: number, word: Look['shown'][number]): void {
        this.look.shown[label] = word;
        this.setLabel[label]!(word);
        address.set('show', this.look.shown.join(','));
        this.chunks.setLook(this.look);
    }

    nextShown(label: number): void {
        const words = ['shown', 'faded', 'hidden'] as const;
        this.setShown(label, words[(words.indexOf(this.look.shown[label]!) + 1) % 3]!);
    }

    private setBy(word: string): void {
        this.look.by = word;
        address.set('by', word === 'label' ? '' : word);
        this.recolour();
        this.chunks.setLook(this.look);
    }

    // What can be got to from a place; null = by label again.
    setReach(from: Vector3 | null): void {
        const cell = from?.toArray().map((c, i) => Math.floor(c) + this.facts.min[i]!);
        this.look = { ...this.look, by: cell ? 'reach' : 'label', ...(cell ? { from: cell } : {}) };
        this.recolour();
        this.chunks.setLook(this.look);
    }

    private controls(): void {
        const side = byId('side');
        side.replaceChildren();
        heading(side, 'Leaves');
        const colours = palette('label', isDark());
        const keys = [paint.unknown, paint.open, paint.blocked];
        for (let i = 2; i >= 0; i--) {
            const key = el('i', { class: 'key', style: `background:#${colours[keys[i]!]!.getHexString()}` });
            this.setLabel[i] = choice(side, [key, LABELS[i]!], ['shown', 'faded', 'hidden'], this.look.shown[i]!,
                (word) => this.setShown(i, word as Look['shown'][number]));
        }
        const frontier = el('input', { type: 'checkbox', change: () => {
            this.look.frontier = frontier.checked;
            address.set('frontier', frontier.checked ? '1' : '');
            this.chunks.setLook(this.look);
        } });
        frontier.checked = this.look.frontier;
        side.append(el('label', { class: 'row', title: 'open leaves beside unknown ones' }, el('span', {},
            el('i', { class: 'key', style: 'background:#f0a63c' }), 'frontier'), frontier));
        if (this.facts.blocks > 0) {
            choice(side, ['shown are'], ['cells', 'blocks'], this.showsBlocks ? 'blocks' : 'cells', (word) => {
                this.showsBlocks = word === 'blocks';
                address.set('blocks', this.showsBlocks ? '1' : '');
                void this.swapBlocks();
            });
            void this.swapBlocks();
        }
        heading(side, 'Colours');
        const by = el('select', { 'aria-label': 'colours by', change: () => this.setBy(by.value) },
            ...['label', 'level', 'component'].map((w) => el('option', { value: w }, `by ${w}`)));
        by.value = this.look.by;
        side.append(by);
        heading(side, 'Slice');
        this.setAxis = choice(side, ['across'], ['none', 'x', 'y', 'z'], 'none', (word) =>
            word === 'none' ? this.clearSlice() : this.setSlice(AXES.indexOf(word), undefined));
        this.sliceRow = el('div');
        side.append(this.sliceRow);
        this.doors(side);
        heading(side, 'Map');
        const f = this.facts;
        const all = f.counts[0]! + f.counts[1]! + f.counts[2]!;
        const share = (n: number): string => `${((100 * n) / Math.max(all, 1)).toPrecision(3)} %`;
        side.append(el('dl', { class: 'facts' },
            ...[['open', share(f.counts[1]!)], ['blocked', share(f.counts[2]!)], ['unknown', share(f.counts[0]!)],
                ['leaves', f.leaves.toLocaleString('en')], ['memory', `${short(f.bytes)}B`],
                ...(f.devices.length ? [['doors and panels', String(f.devices.length)], ['wires', String(f.wires.length)]] : []),
            ].flatMap(([k, v]) => [el('dt', {}, k), el('dd', {}, v)])));
    }

    // Doors of a world, opened and shut: what is connected, reached and found follows.
    private doors(side: HTMLElement): void {
        const doors = this.facts.devices.filter((d) => d.kind === 'door');
        if (doors.length === 0) {
            return;
        }
        heading(side, 'Doors that are open');
        const wanted = (address.get('doors') ?? '').split(',');
        for (const door of doors) {
            const input = el('input', { type: 'checkbox', 'data-door': door.name || door.id, change: () => void this.setDoor(door, input.checked) });
            input.checked = door.open;
            side.append(el('label', { class: 'row' }, el('span', {}, door.name || `${door.type} ${door.id}`), input));
            if (address.get('doors') !== undefined && wanted.includes(door.id) !== door.open) {
                input.checked = !door.open;
                void this.setDoor(door, !door.open);
            }
        }
    }

    async setDoor(door: SceneFacts['devices'][number], open: boolean): Promise<void> {
        await this.link.ask('door', { item: this.item, door: door.id, open });
        door.open = open;
        address.set('doors', this.facts.devices.filter((d) => d.kind === 'door' && d.open).map((d) => d.id).join(',') || 'none');
        this.chunks.setLook(this.look);
        if (this.slice) {
            void this.fetchSlice();
        }
        await this.query.run();
    }

    // ---- slices ----

    // Without a cell: through the middle.
    setSlice(axis: number, cell: number | undefined): void {
        const most = this.span.getComponent(axis) - 1;
        const at = Math.min(Math.max(cell ?? Math.floor(most / 2), 0), most);
        this.slice = { axis, cell: at };
        this.setAxis(AXES[axis]!);
        address.set('slice', `${AXES[axis]}:${at}`);
        const input = this.sliceRow.querySelector('input');
        if (input && input.dataset['axis'] === String(axis)) {
            input.value = String(at);
        } else {
            const range = el('input', { type: 'range', min: '0', max: String(most), value: String(at),
                'data-axis': String(axis), 'aria-label': 'where the slice is',
                input: () => this.setSlice(axis, Number(range.value)) });
            this.sliceRow.replaceChildren(range, el('div', { class: 'dim', id: 'slice-at' }));
        }
        const metres = this.facts.origin[axis]! + (at + 0.5 + this.facts.min[axis]!) * this.facts.cell;
        byId('slice-at').textContent = `${AXES[axis]} = ${metres.toPrecision(6)} m, cell ${at + this.facts.min[axis]!}`;
        // What lies beyond it is left out; what faces the camera is the cut itself.
        const normal = new Vector3().setComponent(axis, 1);
        this.chunks.setClip(new Vector4(normal.x, normal.y, normal.z, at + 0.5));
        this.clipBlocks();
        void this.fetchSlice();
    }

    clearSlice(): void {
        this.slice = null;
        address.set('slice', 'none');
        this.setAxis('none');
        this.sliceRow.replaceChildren();
        this.chunks.setClip(null);
        this.clipBlocks();
        this.dropSlice();
    }

    moveSlice(by: number): void {
        if (this.slice) {
            this.setSlice(this.slice.axis, this.slice.cell + by);
        }
    }

    toggleSlice(axis: number): void {
        if (this.slice?.axis === axis) {
            this.clearSlice();
        } else {
            this.setSlice(axis, undefined);
        }
    }

    private dropSlice(): void {
        if (this.sliceMesh) {
            this.group.remove(this.sliceMesh);
            (this.sliceMesh.material as MeshBasicMaterial).map?.dispose();
            this.sliceMesh.geometry.dispose();
            this.sliceMesh = null;
            this.stage.draw();
        }
    }

    // One question at a time: while one drags, only the last place counts.
    private async fetchSlice(): Promise<void> {
        if (this.sliceAsked++ > 0) {
            return;
        }
        while (this.sliceAsked > 0 && this.slice) {
            this.sliceAsked = 1;
            const { axis, cell } = this.slice;
            const answer = await this.link.ask<Binary>('slice', { item: this.item, axis, cell: cell + this.facts.min[axis]! });
            if (this.slice) {
                this.drawSlice(answer, axis, cell);
            }
            this.sliceAsked--;
        }
        this.sliceAsked = 0;
    }

    private drawSlice(answer: Binary, axis: number, cell: number): void {
        const w = answer.first, h = answer.second;
        const canvas = document.createElement('canvas');
        canvas.width = w;
        canvas.height = h;
        const context = canvas.getContext('2d')!;
        const image = context.createImageData(w, h);
        const colours = palette('label', isDark());
        const rgb = [paint.unknown, paint.open, paint.blocked].map((p) => new Color(colours[p]!).convertLinearToSRGB());
        rgb[1]!.lerp(new Color(isDark() ? '#1a2029' : '#ffffff'), 0.65);
        rgb[2]!.multiplyScalar(0.8);
        for (let i = 0; i < w * h; i++) {
            const c = rgb[answer.bytes[i]!]!;
            image.data.set([c.r * 255, c.g * 255, c.b * 255, 255], 4 * i);
        }
        context.putImageData(image, 0, 0);
        const map = new CanvasTexture(canvas);
        map.magFilter = NearestFilter;
        map.colorSpace = SRGBColorSpace;
        map.flipY = false;
        const u = axis === 0 ? 1 : 0, v = axis === 2 ? 1 : 2;
        const a = this.span.getComponent(u), b = this.span.getComponent(v);
        const geometry = new PlaneGeometry(1, 1);
        const places = geometry.getAttribute('position'), uvs = geometry.getAttribute('uv');
        [[0, 0], [1, 0], [0, 1], [1, 1]].forEach(([s, t], i) => {
            const at = new Vector3().setComponent(axis, cell + 0.5).setComponent(u, s! * a).setComponent(v, t! * b);
            places.setXYZ(i, at.x, at.y, at.z);
            uvs.setXY(i, s!, t!);
        });
        this.dropSlice();
        this.sliceMesh = new Mesh(geometry, new MeshBasicMaterial({ map, side: DoubleSide, toneMapped: false }));
        this.sliceMesh.visible = !this.showsBlocks;
        this.group.add(this.sliceMesh);
        this.stage.draw();
    }

    // ---- picking ----

    // What a ray through the picture meets first, and the free place before it.
    async pick(ray: Ray): Promise<Picked | null> {
        const box = new Box3(new Vector3(), this.span);
        const enter = box.containsPoint(ray.origin) ? ray.origin.clone() : ray.intersectBox(box, new Vector3());
        if (!enter) {
            return null;
        }
        const cut = this.slice && this.cutPoint(ray, this.slice);
        if (cut && box.containsPoint(cut)) {
            return this.cellOn(cut);
        }
        const leave = this.leaveOf(ray, box);
        const labels = this.look.shown.map((w) => w === 'shown');
        const answer = await this.link.ask<{ hit: boolean; label: string; level: number; at: number[]; place: number[] }>(
            'pick', { item: this.item, labels, from: this.toCells(enter), to: this.toCells(leave) });
        return answer.hit
            ? { ...answer, place: new Vector3().fromArray(answer.place.map((c, i) => c - this.facts.min[i]!)) }
            : null;
    }

    private toCells(at: Vector3): number[] {
        return at.toArray().map((c, i) => Math.min(Math.max(c, 0), this.span.getComponent(i)) + this.facts.min[i]!);
    }

    private leaveOf(ray: Ray, box: Box3): Vector3 {
        const far = ray.origin.distanceTo(box.getCenter(new Vector3())) + box.getSize(new Vector3()).length();
        const back = new Ray(ray.at(far, new Vector3()), ray.direction.clone().negate());
        return back.intersectBox(box, new Vector3()) ?? ray.at(far, new Vector3());
    }

    private cutPoint(ray: Ray, slice: { axis: number; cell: number }): Vector3 | null {
        const normal = new Vector3().setComponent(slice.axis, 1);
        return ray.intersectPlane(new Plane(normal, -(slice.cell + 0.5)), new Vector3());
    }

    private async cellOn(at: Vector3): Promise<Picked> {
        const cell = at.toArray().map((c, i) => Math.floor(c) + this.facts.min[i]!);
        const leaf = await this.link.ask<{ label: string; level: number; at: number[] }>('leaf', { item: this.item, at: cell });
        return { ...leaf, place: at };
    }

    // ---- blocks of a world ----

    // The cells are what a body cannot get into; the blocks are the world itself.
    private async swapBlocks(): Promise<void> {
        if (this.showsBlocks && !this.blocks) {
            await this.fetchBlocks();
        }
        this.chunks.group.visible = !this.showsBlocks;
        if (this.sliceMesh) {
            this.sliceMesh.visible = !this.showsBlocks;
        }
        if (this.blocks) {
            this.blocks.group.visible = this.showsBlocks;
        }
        this.stage.draw();
    }

    private async fetchBlocks(): Promise<void> {
        const answer = await this.link.ask<Binary>('blocks', { item: this.item });
        const data = new DataView(answer.bytes.buffer, answer.bytes.byteOffset, answer.first * 28);
        const solid: Box[] = [], glass: Box[] = [];
        for (let i = 0; i < answer.first; i++) {
            const at = [0, 1, 2, 3, 4, 5].map((k) => data.getFloat32(i * 28 + 4 * k, true));
            const type = this.facts.types[data.getUint32(i * 28 + 24, true)]!;
            (type.opaque ? solid : glass).push({ from: this.fromMetres(at.slice(0, 3)), to: this.fromMetres(at.slice(3)),
                colour: blockColour(type) });
        }
        this.blocks = { solid: new Boxes(), glass: new Boxes(0.35), group: new Group() };
        this.blocks.solid.set(solid);
        this.blocks.glass.set(glass);
        this.blocks.group.add(this.blocks.solid.mesh, this.blocks.glass.mesh);
        this.group.add(this.blocks.group);
        this.clipBlocks();
    }

    private clipBlocks(): void {
        const plane = this.slice
            && new Plane(new Vector3().setComponent(this.slice.axis, -1), this.slice.cell + 0.5);
        for (const boxes of this.blocks ? [this.blocks.solid, this.blocks.glass] : []) {
            boxes.mesh.material.clippingPlanes = plane ? [plane] : [];
            boxes.mesh.material.side = plane ? DoubleSide : FrontSide;
            boxes.mesh.material.needsUpdate = true;
        }
    }

    // ---- doors, panels, wires ----

    private addDevices(): void {
        const { devices, wires } = this.facts;
        if (devices.length === 0) {
            return;
        }
        const boxes = new Boxes();
        const names: { words: string; at: Vector3 }[] = [];
        const middles = new Map<string, Vector3>();
        boxes.set(devices.map((d) => {
            const from = this.fromMetres(d.box.slice(0, 3)), to = this.fromMetres(d.box.slice(3));
            const middle = from.clone().add(to).multiplyScalar(0.5);
            middles.set(d.id, middle);
            if (d.name) {
                names.push({ words: d.name, at: middle });
            }
            return { from, to, colour: new Color(d.kind === 'door' ? '#c87a1e' : d.kind === 'panel' ? '#2f6fd0' : '#8d6cc9') };
        }));
        const points: number[] = [];
        for (const wire of wires) {
            const from = middles.get(wire.from), to = middles.get(wire.to);
            if (from && to) {
                points.push(...from.toArray(), ...to.toArray());
            }
        }
        const geometry = new BufferGeometry();
        geometry.setAttribute('position', new Float32BufferAttribute(points, 3));
        const lines = new LineSegments(geometry, new LineBasicMaterial({ color: '#b0256b', depthTest: false, transparent: true }));
        lines.renderOrder = 3;
        this.group.add(boxes.mesh, lines);
        new Labels(this.stage).set(names);
    }

    // ---- keys and state ----

    key(event: KeyboardEvent): boolean {
        const step = event.shiftKey ? 10 : 1;
        const found: Record<string, () => void> = {
            1: () => this.nextShown(0), 2: () => this.nextShown(1), 3: () => this.nextShown(2),
            x: () => this.toggleSlice(0), y: () => this.toggleSlice(1), z: () => this.toggleSlice(2),
            '[': () => this.moveSlice(-step), ']': () => this.moveSlice(step),
            '{': () => this.moveSlice(-10), '}': () => this.moveSlice(10),
        };
        const act = found[event.key];
        act?.();
        return act !== undefined;
    }

    tell(): void {
        const c = this.chunks;
        toast(`${short(c.drawnQuads)} faces${c.coarse ? `, ${c.coarse} far chunk${c.coarse === 1 ? '' : 's'} drawn coarser` : ''}`);
    }

    state(): Record<string, unknown> {
        return {
            quads: this.chunks.drawnQuads, coarse: this.chunks.coarse, asked: this.chunks.asked,
            firstPicture: this.chunks.firstPicture, shown: this.look.shown, by: this.look.by,
            blocks: this.blocks && this.showsBlocks ? this.blocks.solid.faces + this.blocks.glass.faces : 0,
            doors: this.facts.devices.filter((d) => d.kind === 'door' && d.open).map((d) => d.name),
            slice: this.slice, sliceDrawn: this.sliceMesh !== null, query: this.query.state(),
        };
    }
}

function blockColour(type: { name: string; kind: string; opaque: boolean }): Color {
    if (type.kind === 'door') {
        return new Color('#c87a1e');
    }
    if (type.kind === 'panel') {
        return new Color('#2f6fd0');
    }
    // Types are told apart by their lightness.
    let hash = 0;
    for (const c of type.name) {
        hash = (hash * 31 + c.charCodeAt(0)) % 997;
    }
    return new Color().setHSL(0.58, 0.1, (isDark() ? 0.48 : 0.52) + (hash % 9) * 0.025);
}
